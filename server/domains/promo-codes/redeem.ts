import { refusals, type ServiceError } from '#contract/errors.ts'
import type { ExpiringCredits } from '#domains/billing/expiring-credits.ts'
import type { Ledger } from '#domains/billing/ledger.ts'
import type { AttemptCounter } from '#domains/identity/attempt-counter.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { PromoCodeRow } from '#storage/sales-tables.ts'
import type { PostingOutcome, Statement, Storage } from '#storage/storage.ts'
import type { LedgerEntryRow } from '#storage/tables.ts'

const DAY_MS = 86_400_000
/** How often another redemption may be faster before we give up. */
const ATTEMPTS = 20
/** Wrong codes within a quarter of an hour: far more than a typing mistake, far fewer than a search. */
const WRONG_CODES_PER_ACCOUNT = 10
const WRONG_CODES_PER_NETWORK = 100

/** The same answer for a code that is unknown, over, used up or switched off: guessing learns nothing from it. */
const NOT_VALID = refusals.notFound('This code is not valid, or not valid any more')

/** Turns a code into credits. 404 it is not valid, 409 used already by this account, 429 too many wrong codes. */
export type RedeemPromoCode = (
  code: string,
  redeemer: { readonly accountId: string; readonly network: string },
) => Promise<Outcome<LedgerEntryRow, ServiceError>>

export type RedeemParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly ledger: Pick<Ledger, 'change'>
  readonly expiringCredits: Pick<ExpiringCredits, 'grant'>
  readonly attempts: AttemptCounter
}

export function createRedeem(parts: RedeemParts): RedeemPromoCode {
  const { attempts, storage } = parts
  return async (code, { accountId, network }) => {
    const allowances = [
      { subject: `promo account ${accountId}`, total: WRONG_CODES_PER_ACCOUNT },
      { subject: `promo ip ${network}`, total: WRONG_CODES_PER_NETWORK },
    ]
    for (const { subject, total } of allowances) {
      const { number, windowEndsInSeconds } = await attempts.count(subject)
      if (number > total) return refused(refusals.rateLimited(windowEndsInSeconds))
    }
    const outcome = await untilDecided(parts, code.trim().toUpperCase(), accountId)
    const isWrong = !outcome.ok && outcome.refusal === NOT_VALID
    if (!isWrong) await storage.commit(allowances.map(({ subject }) => attempts.takeBack(subject)))
    return outcome
  }
}

async function untilDecided(
  parts: RedeemParts,
  code: string,
  accountId: string,
): Promise<Outcome<LedgerEntryRow, ServiceError>> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const found = await findUsable(parts, code, accountId)
    if (!found.ok) return found
    const outcome = await post(parts, found.value, accountId)
    if (outcome.kind === 'posted' && outcome.entry) return accepted(outcome.entry)
    if (outcome.kind === 'no-account') throw new Error(`Account ${accountId} is missing`)
    // Another use of the code was faster: what is left of it is read again.
  }
  return refused(refusals.conflict('This code is being used by many at the same time; try again'))
}

type Usable = { readonly row: PromoCodeRow; readonly ordinal: number }

async function findUsable(
  { storage: { db }, clock }: RedeemParts,
  code: string,
  accountId: string,
): Promise<Outcome<Usable, ServiceError>> {
  const row = await db.selectFrom('promo_codes').selectAll().where('code', '=', code).executeTakeFirst()
  if (!row) return refused(NOT_VALID)
  const uses = await db
    .selectFrom('promo_redemptions')
    .select('ordinal')
    .where('promo_code_id', '=', row.id)
    .where('account_id', '=', accountId)
    .execute()
  // Whoever used it knows that it exists.
  if (uses.length >= row.max_uses_per_account)
    return refused(refusals.conflict('You have used this code already'))
  const isOver = row.expires_at !== null && row.expires_at <= clock.now()
  const isUsedUp = row.max_uses !== null && row.uses >= row.max_uses
  return row.enabled === 0 || isOver || isUsedUp
    ? refused(NOT_VALID)
    : accepted({ row, ordinal: uses.length + 1 })
}

/** Grant, count and redemption in one unit: each holds only if nobody was faster. */
function post(
  { storage: { db }, clock, ledger, expiringCredits }: RedeemParts,
  { row, ordinal }: Usable,
  accountId: string,
): Promise<PostingOutcome> {
  const now = clock.now()
  const entryId = newId('led', now)
  const also: Statement[] = [
    {
      query: db
        .updateTable('promo_codes')
        .set({ uses: row.uses + 1 })
        .where('id', '=', row.id)
        .where('uses', '=', row.uses)
        .where('enabled', '=', 1),
      expectRows: 1,
    },
    {
      query: db.insertInto('promo_redemptions').values({
        promo_code_id: row.id,
        account_id: accountId,
        ordinal,
        entry_id: entryId,
        created_at: now,
      }),
      expectRows: 1,
    },
  ]
  const grant = { accountId, amountMicros: row.credits_micros, note: `Code ${row.code}`, entryId, also }
  return row.valid_days === null
    ? ledger.change({ ...grant, kind: 'grant' })
    : expiringCredits.grant({ ...grant, expiresAt: now + row.valid_days * DAY_MS })
}
