/** The part of the composition root that keeps what keys with a spending cap have spent known on every node. */
import type { Ledger } from '#domains/billing/ledger.ts'
import { readSpending } from '#domains/keys/spending.ts'
import { createKeySpending, type KeySpending } from '#gateway/admission/key-spending.ts'
import type { Changes } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'

export type KeySpendingOptions = {
  readonly storage: Storage
  readonly ledger: Pick<Ledger, 'onCharge'>
  readonly changes: Changes
  readonly clock: Clock
}

export function composeKeySpending({ storage, ledger, changes, clock }: KeySpendingOptions): KeySpending {
  // Where the store is this process's own, nobody else charges.
  const isShared = storage.engine !== 'sqlite'
  let isOwn = false
  const spending = createKeySpending({
    clock,
    isShared,
    read: (key, span) => readSpending(storage, key, span),
    announce: keyId => {
      if (!isShared) return
      // Listeners on this node are told before `publish` returns; what they know is right already.
      isOwn = true
      changes.publish({ kind: 'key-spending', keyId })
      isOwn = false
    },
  })
  ledger.onCharge(({ account_id, key_id, charge_micros, created_at }) => {
    spending.settled({
      accountId: account_id,
      keyId: key_id,
      micros: charge_micros,
      arrivedAt: created_at,
    })
  })
  changes.subscribe(change => {
    if (change.kind === 'resync') spending.doubt('all')
    else if (change.kind === 'key-spending' && !isOwn) spending.doubt(change.keyId)
  })
  return spending
}
