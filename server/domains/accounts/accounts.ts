import type { z } from 'zod'
import type { CreditUsage, createAccount, patchAccount } from '#contract/accounts.ts'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import type { Passwords } from '#domains/identity/passwords.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Changes } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { containsText } from '#storage/contains-text.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Storage } from '#storage/storage.ts'
import { type AccountRecord, newAccountRecord, selectAccounts, toAccountRecord } from './account-record.ts'
import { type Closing, createClosing } from './closing.ts'
import { createNames, type Names } from './names.ts'
import { insertAccount, insertUser, newAccount, newUser } from './new-account.ts'
import { emailTaken } from './sign-up.ts'

const SEARCHED = ['accounts.name', 'accounts.id', 'owner.name', 'owner.email']

export type Accounts = Closing & {
  readonly names: Names
  find(id: string): Promise<AccountRecord | null>
  /** Newest first; those that a text leads to when one is given. */
  list(filter: { readonly search?: string }, page: PageRequest): Promise<Page<AccountRecord>>
  /** Makes an account and its owner; 409 an e-mail that is taken. */
  create(account: z.infer<typeof createAccount>, actor: Actor): Promise<Outcome<AccountRecord, ServiceError>>
  /** Renames, suspends or opens again; 404 no such account, 409 to open a closed one. */
  patch(
    id: string,
    patch: z.infer<typeof patchAccount>,
    actor: Actor,
  ): Promise<Outcome<AccountRecord, ServiceError>>
  /** What a user of the account sees of it; throws when there is no such account. */
  getSummary(id: string): Promise<CreditUsage & { readonly id: string; readonly name: string }>
}

export type AccountsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly passwords: Passwords
  readonly sessions: Pick<Sessions, 'endAll'>
  readonly audit: Audit
  readonly settings: Pick<SettingsRegister, 'get'>
}

const CLOSED = 'This account is closed: reopen it first'

export function createAccounts(parts: AccountsParts): Accounts {
  const { storage, clock, changes, passwords, audit, settings } = parts

  async function find(id: string): Promise<AccountRecord | null> {
    const [row, { low_balance_percent: lowPercent }] = await Promise.all([
      selectAccounts(storage).where('accounts.id', '=', id).executeTakeFirst(),
      settings.get(),
    ])
    return row ? toAccountRecord(row, lowPercent) : null
  }

  const create: Accounts['create'] = async ({ name, owner }, actor) => {
    const nowMs = clock.now()
    const id = newId('acc', nowMs)
    const user = await newUser(passwords, owner, { accountId: id, nowMs })
    const account = newAccount({ id, name, ownerId: user.id, nowMs })
    const record = newAccountRecord(account, user)
    const outcome = await storage.commit([
      insertAccount(storage, account),
      insertUser(storage, user),
      audit.entry({ actor, action: 'account.create', target: { type: 'account', id }, after: record }),
    ])
    return outcome.kind === 'committed' ? accepted(record) : refused(emailTaken())
  }

  async function patchOnce(
    id: string,
    { name, status }: z.infer<typeof patchAccount>,
    actor: Actor,
  ): Promise<Outcome<AccountRecord, ServiceError> | typeof RACED> {
    const before = await find(id)
    if (!before) return refused(refusals.notFound('No such account'))
    if (before.closed_at !== null && status === 'active') return refused(refusals.conflict(CLOSED))
    const columns = {
      ...(name === undefined ? {} : { name }),
      ...(status === undefined ? {} : { status }),
    }
    if (Object.keys(columns).length === 0) return accepted(before)
    const after = { ...before, ...columns }
    const query = storage.db
      .updateTable('accounts')
      .set(columns)
      .where('id', '=', id)
      .where(stillIs({ name: before.name, status: before.status, closed_at: epochOf(before.closed_at) }))
    const outcome = await storage.commit([
      { query, expectRows: 1 },
      audit.entry({ actor, action: 'account.update', target: { type: 'account', id }, before, after }),
    ])
    if (outcome.kind !== 'committed') return RACED
    changes.publish({ kind: 'account', accountId: id })
    return accepted(after)
  }

  return {
    ...createClosing({ ...parts, find }),
    names: createNames(storage),
    find,
    create,
    patch: (id, patch, actor) => untilUnraced(() => patchOnce(id, patch, actor)),
    list: async ({ search }, page) => {
      let query = selectAccounts(storage)
      if (search !== undefined) query = query.where(containsText(SEARCHED, search))
      const [found, { low_balance_percent: lowPercent }] = await Promise.all([
        readNewest(query, page, 'accounts.id'),
        settings.get(),
      ])
      return mapPage(found, row => toAccountRecord(row, lowPercent))
    },
    getSummary: async id => {
      const account = await find(id)
      if (!account) throw new Error(`account ${id} is missing`)
      const { name, used, quota, remaining, credit_status } = account
      return { id, name, used, quota, remaining, credit_status }
    },
  }
}

function epochOf(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment)
}
