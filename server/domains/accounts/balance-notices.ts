import type { z } from 'zod'
import type { creditStatus } from '#contract/accounts.ts'
import { creditStatusOf } from '#domains/billing/credit-usage.ts'
import { findBalance } from '#domains/billing/find-balance.ts'
import type { Ledger } from '#domains/billing/ledger.ts'
import type { Mailer } from '#domains/identity/mailer.ts'
import type { Letter } from '#domains/mail/letter.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Clock } from '#lib/clock.ts'
import { oneAtATime } from '#lib/one-at-a-time.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { type Log, loggableError } from '#telemetry/log.ts'

type Status = z.infer<typeof creditStatus>

const RANK = { active: 0, low: 1, exhausted: 2 } as const satisfies Record<Status, number>

export type BalanceNoticesParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly ledger: Pick<Ledger, 'onBalance'>
  readonly mailer: Pick<Mailer, 'send' | 'pageUrl'>
  readonly settings: Pick<SettingsRegister, 'get' | 'latest'>
  readonly log: Log
}

/**
 * Tells an account's owner by e-mail when its credits run low and when they are used up: once a crossing, whichever
 * node sees it, since the store keeps what was told last and the mail goes out with that. On the path of a request it
 * costs a look into a map.
 */
export function startBalanceNotices(parts: BalanceNoticesParts): { settled(): Promise<void> } {
  const { ledger, log, settings } = parts
  const told = new Map<string, Status>()
  const changed = new Set<string>()

  const round = oneAtATime(async () => {
    for (const accountId of changed) {
      changed.delete(accountId)
      try {
        const status = await tell(parts, accountId)
        if (status !== null) told.set(accountId, status)
      } catch (error) {
        // The next request of the account brings it here again.
        log.warn({ account_id: accountId, error: loggableError(error) }, 'a notice about a balance failed')
      }
    }
  })

  ledger.onBalance((accountId, balance) => {
    if (told.get(accountId) === creditStatusOf(balance, settings.latest().low_balance_percent)) return
    changed.add(accountId)
    round.start()
  })
  return { settled: round.settled }
}

/** Gives what is on record now; null when another node was faster. */
async function tell(parts: BalanceNoticesParts, accountId: string): Promise<Status | null> {
  const { storage, settings } = parts
  const balance = await findBalance(storage, accountId)
  if (!balance) return null
  const { low_balance_percent: lowPercent } = await settings.get()
  const status = creditStatusOf(balance, lowPercent)
  const row = await storage.db
    .selectFrom('account_notices')
    .select('status')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (row?.status === status) return status
  // An account that never had credits has not lost any.
  const hadCredits = balance.lastAllocationMicros > 0n
  const isWorse = hadCredits && RANK[status] > RANK[row?.status ?? 'active']
  const statements = [
    remember(parts, { accountId, status, before: row?.status ?? null }),
    ...(isWorse ? await letterTo(parts, { accountId, status, lowPercent }) : []),
  ]
  const outcome = await storage.commit(statements)
  return outcome.kind === 'committed' ? status : null
}

type Change = { readonly accountId: string; readonly status: Status; readonly before: Status | null }

/** Holds only if nobody else has told it meanwhile. */
function remember({ storage: { db }, clock }: BalanceNoticesParts, change: Change): Statement {
  const { accountId, status, before } = change
  const values = { status, changed_at: clock.now() }
  const query =
    before === null
      ? db.insertInto('account_notices').values({ account_id: accountId, ...values })
      : db
          .updateTable('account_notices')
          .set(values)
          .where('account_id', '=', accountId)
          .where('status', '=', before)
  return { query, expectRows: 1 }
}

async function letterTo(
  { storage, mailer }: BalanceNoticesParts,
  { accountId, status, lowPercent }: Pick<Change, 'accountId' | 'status'> & { readonly lowPercent: number },
): Promise<Statement[]> {
  const owner = await storage.db
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.owner_id')
    .select(['users.email', 'accounts.name'])
    .where('accounts.id', '=', accountId)
    // What is paid out of a closed account is no news to somebody who can not sign in to it.
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst()
  if (!owner) return []
  const letter = noticeLetter(owner.name, { status, lowPercent, url: mailer.pageUrl('client', 'credits') })
  return [mailer.send(owner.email, { kind: `balance-${status}`, letter })]
}

type Notice = { readonly status: Status; readonly lowPercent: number; readonly url: string }

function noticeLetter(account: string, { status, lowPercent, url }: Notice): Letter {
  const action = { label: 'See your credits', url }
  if (status === 'exhausted') {
    return {
      subject: 'Your credits are used up',
      paragraphs: [`The account ${account} has no credits left. Requests are refused until there are some.`],
      action,
    }
  }
  return {
    subject: 'Your credits are running low',
    paragraphs: [`The account ${account} has less than ${lowPercent} % left of what it last received.`],
    action,
  }
}
