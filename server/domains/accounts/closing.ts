import type { z } from 'zod'
import type { closeAccount } from '#contract/accounts.ts'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import { endingAutoTopUp } from '#domains/orders/ending-auto-top-up.ts'
import type { Changes } from '#lib/changes.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { AccountRecord } from './account-record.ts'

/** The end of an account, and the way back. */
export type Closing = {
  /**
   * Suspends an account for good: its keys are revoked, the sessions of its users end and none of them can sign in, and
   * nothing is bought for it any more by itself. Its balance stays on the books. 400 what was typed is not its name, 404
   * no such account, 409 closed already.
   */
  close(
    id: string,
    confirmation: z.infer<typeof closeAccount>,
    actor: Actor,
  ): Promise<Outcome<AccountRecord, ServiceError>>
  /** Lets the users in again and makes the account active; revoked keys stay revoked. 404 no such account, 409 not closed. */
  reopen(id: string, actor: Actor): Promise<Outcome<AccountRecord, ServiceError>>
}

export type ClosingParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly sessions: Pick<Sessions, 'endAll'>
  readonly audit: Audit
  readonly find: (id: string) => Promise<AccountRecord | null>
}

export function createClosing(parts: ClosingParts): Closing {
  const { storage, clock, changes, audit, find } = parts

  /** Makes the change in one unit, and gives the account as it is after it. */
  async function change(
    before: AccountRecord,
    statements: readonly Statement[],
  ): Promise<Outcome<AccountRecord, ServiceError> | typeof RACED> {
    const outcome = await storage.commit(statements)
    if (outcome.kind !== 'committed') return RACED
    changes.publish({ kind: 'account', accountId: before.id })
    const after = await find(before.id)
    return after ? accepted(after) : refused(noSuchAccount())
  }

  async function closeOnce(id: string, confirm: string, actor: Actor) {
    const before = await find(id)
    if (!before) return refused(noSuchAccount())
    if (before.closed_at !== null) return refused(refusals.conflict('This account is closed'))
    if (confirm !== before.name)
      return refused(refusals.invalid('confirm: must be the name of the account, as it is written'))
    const closedAt = clock.now()
    const query = storage.db
      .updateTable('accounts')
      .set({ status: 'suspended', closed_at: closedAt, closed_by: actor.id })
      .where('id', '=', id)
      .where(stillIs({ name: before.name, status: before.status, closed_at: null }))
    const after = {
      ...before,
      status: 'suspended',
      closed_at: rfc3339(closedAt),
      closed_by: await closerOf(storage, actor),
    }
    return change(before, [
      { query, expectRows: 1 },
      audit.entry({ actor, action: 'account.close', target: { type: 'account', id }, before, after }),
      revokeKeys(storage, id, closedAt),
      endingAutoTopUp(storage, id),
      ...(await endSessions(parts, id)),
    ])
  }

  async function reopenOnce(id: string, actor: Actor) {
    const before = await find(id)
    if (!before) return refused(noSuchAccount())
    if (before.closed_at === null) return refused(refusals.conflict('This account is not closed'))
    const query = storage.db
      .updateTable('accounts')
      .set({ status: 'active', closed_at: null, closed_by: null })
      .where('id', '=', id)
      .where(stillIs({ name: before.name, closed_at: Date.parse(before.closed_at) }))
    const after = { ...before, status: 'active', closed_at: null, closed_by: null }
    return change(before, [
      { query, expectRows: 1 },
      audit.entry({ actor, action: 'account.reopen', target: { type: 'account', id }, before, after }),
    ])
  }

  return {
    close: (id, { confirm }, actor) => untilUnraced(() => closeOnce(id, confirm, actor)),
    reopen: (id, actor) => untilUnraced(() => reopenOnce(id, actor)),
  }
}

/** Whoever closes an account, as its record names them. */
async function closerOf({ db }: Storage, { id }: Actor): Promise<AccountRecord['closed_by']> {
  if (id === null) return null
  const closer = await db.selectFrom('administrators').select('name').where('id', '=', id).executeTakeFirst()
  return { id, name: closer?.name ?? '' }
}

/** Changes nothing, and one row: the unit fails when there is no such account, or it is closed. */
export function accountIsOpen({ db }: Storage, id: string): Statement {
  const query = db
    .updateTable('accounts')
    .set(eb => ({ name: eb.ref('accounts.name') }))
    .where('id', '=', id)
    .where('closed_at', 'is', null)
  return { query, expectRows: 1 }
}

function revokeKeys({ db }: Storage, accountId: string, nowMs: number): Statement {
  const members = db.selectFrom('users').select('users.id').where('users.account_id', '=', accountId)
  const query = db
    .updateTable('api_keys')
    .set({ revoked_at: nowMs })
    .where('user_id', 'in', members)
    .where('revoked_at', 'is', null)
  return { query }
}

/** A session of somebody who joins at this moment opens nothing either: it is worth what the account is. */
async function endSessions({ storage, sessions }: ClosingParts, accountId: string): Promise<Statement[]> {
  const users = await storage.db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .execute()
  return users.flatMap(({ id }) => sessions.endAll({ realm: 'client', id }))
}

function noSuchAccount(): ServiceError {
  return refusals.notFound('No such account')
}
