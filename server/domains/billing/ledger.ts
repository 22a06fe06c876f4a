import type { EntryKind } from '#contract/ledger.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { type Micros, ZERO_MICROS } from '#lib/money.ts'
import type { Balance, PostingOutcome, Statement, Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'

/**
 * Told of every balance that this node has changed, after the commit: admission keeps its picture right by it. Who has
 * to pass it on to other nodes answers with a promise, which never rejects; any other answer means nothing.
 */
export type BalanceListener = (accountId: string, balance: Balance) => unknown

/** Told of every request that this node has charged, after the commit. */
export type ChargeListener = (request: RequestRow) => void

export type CreditChange = {
  readonly accountId: string
  readonly kind: Exclude<EntryKind, 'charge'>
  /** Signed; not 0. */
  readonly amountMicros: Micros
  readonly note: string
  readonly orderId?: string
  /** Where rows of the same unit refer to the entry; else one is made. */
  readonly entryId?: string
  /** Rows that belong to the change, such as its audit entry. */
  readonly also?: readonly Statement[]
}

/** The one place through which balances change. */
export type Ledger = {
  /** Posts a purchase, grant, adjustment or refund. Resolves when it is committed and every listener has passed it on. */
  change(change: CreditChange): Promise<PostingOutcome>
  /**
   * Puts a finished request on record, charged when `charged` is true: exactly once, keyed by the request's id.
   * Resolves after the commit, or when this node's disk has it to be committed later; what has further rows of the same
   * unit is never committed later. What listeners pass on of it is not waited for: the request's slot, which is given back
   * next, is passed on in the same breath.
   */
  record(
    request: RequestRow,
    options: { readonly charged: boolean; readonly also?: readonly Statement[] },
  ): Promise<PostingOutcome>
  onBalance(listener: BalanceListener): void
  onCharge(listener: ChargeListener): void
}

export function createLedger({ storage, clock }: { storage: Storage; clock: Clock }): Ledger {
  const listeners: BalanceListener[] = []
  const chargeListeners: ChargeListener[] = []
  const tell = (accountId: string, balance: Balance) => {
    for (const listener of listeners) void listener(accountId, balance)
  }
  storage.onPostedLater(tell)

  return {
    change: async ({ accountId, kind, amountMicros, note, orderId = null, entryId, also = [] }) => {
      const now = clock.now()
      const entry = {
        id: entryId ?? newId('led', now),
        kind,
        amount_micros: amountMicros,
        request_id: null,
        order_id: orderId,
        note,
        created_at: now,
      }
      const outcome = await storage.post({ accountId, request: null, entry, also })
      if (outcome.kind === 'posted') {
        await Promise.all(listeners.map(listener => listener(accountId, outcome.balance)))
      }
      return outcome
    },
    record: (request, { charged, also }) => {
      const now = clock.now()
      // A charge of 0 is an entry too: whoever looks for what became of a request finds it on the ledger.
      const entry = charged
        ? {
            // One charge a request: its entry bears the same number.
            id: `led_${request.id.slice('req_'.length)}`,
            kind: 'charge' as const,
            // Negating a bigint loses the brand; it is the same amount.
            amount_micros: -request.charge_micros as Micros,
            request_id: request.id,
            order_id: null,
            note: '',
            created_at: now,
          }
        : null
      // What is not charged has no amount on its record either.
      const isRight = charged || request.charge_micros === ZERO_MICROS
      const recorded = isRight ? request : { ...request, charge_micros: ZERO_MICROS }
      const { account_id: accountId } = request
      return storage.post({ accountId, request: recorded, entry, also }).then(outcome => {
        if (outcome.kind === 'posted') {
          tell(accountId, outcome.balance)
          if (charged) for (const listener of chargeListeners) listener(recorded)
        }
        return outcome
      })
    },
    onBalance: listener => {
      listeners.push(listener)
    },
    onCharge: listener => {
      chargeListeners.push(listener)
    },
  }
}
