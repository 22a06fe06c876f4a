import type { z } from 'zod'
import type { createUser, patchUser } from '#contract/accounts.ts'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import { normalizeEmail } from '#domains/identity/email.ts'
import type { OneTimeTokens } from '#domains/identity/one-time-tokens.ts'
import type { Passwords } from '#domains/identity/passwords.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { Changes } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { containsText } from '#storage/contains-text.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { AccountRow, UserRow } from '#storage/tables.ts'
import { newAccountRecord } from './account-record.ts'
import { accountIsOpen } from './closing.ts'
import { insertAccount, insertUser, newAccount, newUser } from './new-account.ts'
import { emailTaken } from './sign-up.ts'
import { toUserRecord, USER_COLUMNS, type UserRecord } from './user-record.ts'

export type UserPatch = z.infer<typeof patchUser>

export type UserFilter = { readonly accountId?: string; readonly search?: string }

const SEARCHED = ['name', 'email', 'id']

export type Users = {
  find(id: string): Promise<UserRecord | null>
  /** Newest first; those of one account when it is named, those that a text leads to when one is given. */
  list(filter: UserFilter, page: PageRequest): Promise<Page<UserRecord>>
  /** Makes a user, with an account of their own unless one is named. 404 no such account, 409 a closed one or an e-mail that is taken. */
  create(user: z.infer<typeof createUser>, actor: Actor): Promise<Outcome<UserRecord, ServiceError>>
  /** A new password, or being disabled, ends all sessions. 404 no such user, 409 an e-mail that is taken. */
  patch(id: string, patch: UserPatch, actor: Actor): Promise<Outcome<UserRecord, ServiceError>>
}

export type UsersParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly passwords: Passwords
  readonly sessions: Pick<Sessions, 'endAll'>
  readonly tokens: Pick<OneTimeTokens, 'voidAll'>
  readonly audit: Audit
}

export function createUsers(parts: UsersParts): Users {
  const { storage, clock, changes, passwords, sessions, tokens, audit } = parts
  const { db } = storage

  async function find(id: string): Promise<UserRecord | null> {
    const row = await db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst()
    return row ? toUserRecord(row) : null
  }

  async function isThere(accountId: string): Promise<boolean> {
    const query = db.selectFrom('accounts').select('id').where('id', '=', accountId)
    return (await query.executeTakeFirst()) !== undefined
  }

  function makeAccountFor(owner: UserRow, account: AccountRow, actor: Actor): Statement[] {
    const after = newAccountRecord(account, owner)
    const target = { type: 'account', id: account.id }
    return [insertAccount(storage, account), audit.entry({ actor, action: 'account.create', target, after })]
  }

  const create: Users['create'] = async ({ account_id, ...person }, actor) => {
    const nowMs = clock.now()
    const accountId = account_id ?? newId('acc', nowMs)
    const user = await newUser(passwords, person, { accountId, nowMs })
    const account =
      account_id === undefined
        ? newAccount({ id: accountId, name: user.name, ownerId: user.id, nowMs })
        : null
    const record = toUserRecord(user)
    const outcome = await storage.commit([
      ...(account ? makeAccountFor(user, account, actor) : [accountIsOpen(storage, accountId)]),
      insertUser(storage, user),
      audit.entry({ actor, action: 'user.create', target: { type: 'user', id: user.id }, after: record }),
    ])
    if (outcome.kind === 'unmet' && (await isThere(accountId)))
      return refused(refusals.conflict('This account is closed'))
    if (outcome.kind === 'unmet' || outcome.kind === 'reference')
      return refused(refusals.notFound('No such account'))
    return outcome.kind === 'committed' ? accepted(record) : refused(emailTaken())
  }

  type ChangedColumns = Awaited<ReturnType<typeof changedColumns>>

  async function patchOnce(
    id: string,
    columns: ChangedColumns,
    actor: Actor,
  ): Promise<Outcome<UserRecord, ServiceError> | typeof RACED> {
    const before = await find(id)
    if (!before) return refused(refusals.notFound('No such user'))
    if (Object.keys(columns).length === 0) return accepted(before)
    const { password_hash: newPasswordHash, ...shown } = columns
    const after: UserRecord = { ...before, ...shown }
    const target = { type: 'user', id }
    const isNewEmail = after.email !== before.email
    const query = db
      .updateTable('users')
      .set(isNewEmail ? { ...columns, email_verified_at: null } : columns)
      .where('id', '=', id)
      .where(stillIs({ email: before.email, name: before.name, status: before.status }))
    const statements: Statement[] = [{ query, expectRows: 1 }]
    if (newPasswordHash !== undefined) {
      statements.push(audit.entry({ actor, action: 'user.change_password', target }))
    }
    if (Object.keys(shown).length > 0) {
      statements.push(audit.entry({ actor, action: 'user.update', target, before, after }))
    }
    if (newPasswordHash !== undefined || after.status === 'disabled') {
      statements.push(...sessions.endAll({ realm: 'client', id }))
    }
    // What was sent to the old address opens nothing any more.
    if (isNewEmail) statements.push(tokens.voidAll({ realm: 'client', id }))
    const outcome = await storage.commit(statements)
    if (outcome.kind === 'unmet') return RACED
    if (outcome.kind !== 'committed') return refused(emailTaken())
    changes.publish({ kind: 'user', userId: id })
    return accepted(after)
  }

  return {
    find,
    create,
    patch: async (id, change, actor) => {
      const columns = await changedColumns(change, passwords)
      return untilUnraced(() => patchOnce(id, columns, actor))
    },
    list: async ({ accountId, search }, page) => {
      let query = db.selectFrom('users').select(USER_COLUMNS)
      if (accountId !== undefined) query = query.where('account_id', '=', accountId)
      if (search !== undefined) query = query.where(containsText(SEARCHED, search))
      return mapPage(await readNewest(query, page), toUserRecord)
    },
  }
}

async function changedColumns({ email, name, password, status }: UserPatch, passwords: Passwords) {
  return {
    ...(email === undefined ? {} : { email: normalizeEmail(email) }),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(password === undefined ? {} : { password_hash: await passwords.hash(password) }),
  }
}
