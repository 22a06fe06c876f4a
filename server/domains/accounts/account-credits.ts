import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { creditChange } from '#contract/ledger.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import type { ExpiringCredits } from '#domains/billing/expiring-credits.ts'
import type { Ledger } from '#domains/billing/ledger.ts'
import type { Clock } from '#lib/clock.ts'
import { type Micros, micros, microsFromCredits } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import type { Storage } from '#storage/storage.ts'
import {
  type LedgerEntryRecord,
  type LedgerFilter,
  listEntries,
  toLedgerEntryRecord,
} from './list-entries.ts'

export type CreditChangeRequest = z.infer<typeof creditChange>

/** Beyond a thousand million credits a JSON number no longer shows every millionth. */
const MOST_MICROS = micros(1_000_000_000n * 1_000_000n)

/** What operators do to an account's credits, and the account's ledger. */
export type AccountCredits = {
  /** 400 an amount that the kind does not allow, 404 no such account. */
  change(
    accountId: string,
    change: CreditChangeRequest,
    actor: Actor,
  ): Promise<Outcome<LedgerEntryRecord, ServiceError>>
  /** The account's entries that fit, newest first; none when there is no such account. */
  listEntries(accountId: string, filter: LedgerFilter, page: PageRequest): Promise<Page<LedgerEntryRecord>>
}

export type AccountCreditsParts = {
  readonly storage: Storage
  readonly ledger: Ledger
  readonly audit: Audit
  readonly clock: Clock
  readonly expiringCredits: Pick<ExpiringCredits, 'grant'>
}

export function createAccountCredits(parts: AccountCreditsParts): AccountCredits {
  const { storage, ledger, audit, clock, expiringCredits } = parts
  return {
    change: async (accountId, { amount, kind, note, expires_at }, actor) => {
      const expiresAt = readExpiry(expires_at, kind, clock.now())
      if (!expiresAt.ok) return expiresAt
      const amountMicros = readAmount(amount, kind)
      if (!amountMicros.ok) return amountMicros
      const entry = audit.entry({
        actor,
        action: 'account.change_credits',
        target: { type: 'account', id: accountId },
        after: { amount, kind, note, ...(expires_at === undefined ? {} : { expires_at }) },
      })
      const change = { accountId, amountMicros: amountMicros.value, note, also: [entry] }
      const outcome =
        expiresAt.value === null
          ? await ledger.change({ ...change, kind })
          : await expiringCredits.grant({ ...change, expiresAt: expiresAt.value })
      if (outcome.kind === 'no-account') return refused(refusals.notFound('No such account'))
      if (outcome.kind !== 'posted' || !outcome.entry) throw new Error(`a new entry is '${outcome.kind}'`)
      return accepted(toLedgerEntryRecord(outcome.entry))
    },
    listEntries: (accountId, filter, page) => listEntries(storage, { accountId, filter }, page),
  }
}

function readAmount(amount: number, kind: CreditChangeRequest['kind']): Outcome<Micros, ServiceError> {
  const amountMicros = microsFromCredits(amount)
  if (amountMicros === null) return refused(refusals.invalid('amount: has more than six decimals'))
  if (amountMicros === 0n) return refused(refusals.invalid('amount: must not be 0'))
  if (amountMicros < 0n && kind === 'grant') return refused(refusals.invalid('amount: a grant is above 0'))
  if (amountMicros > MOST_MICROS || amountMicros < -MOST_MICROS) {
    return refused(refusals.invalid('amount: can not be more than 1000000000'))
  }
  return accepted(amountMicros)
}

function readExpiry(
  expiresAt: string | undefined,
  kind: CreditChangeRequest['kind'],
  now: number,
): Outcome<number | null, ServiceError> {
  if (expiresAt === undefined) return accepted(null)
  if (kind !== 'grant') return refused(refusals.invalid('expires_at: only a grant can end'))
  const epochMs = Date.parse(expiresAt)
  return epochMs > now ? accepted(epochMs) : refused(refusals.invalid('expires_at: must be in the future'))
}
