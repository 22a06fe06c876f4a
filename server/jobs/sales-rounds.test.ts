import { expect, test } from 'vitest'
import type { BalanceListener } from '#domains/billing/ledger.ts'
import { micros } from '#lib/money.ts'
import { silentLog } from '#telemetry/log.ts'
import { eventually } from '#test/support/eventually.ts'
import { startSalesRounds } from './sales-rounds.ts'

function balance(left: bigint) {
  return {
    allocatedMicros: micros(left),
    usedMicros: micros(0n),
    lastAllocationMicros: micros(0n),
    sequence: 1,
  }
}

test('a balance that falls below its threshold is looked at within seconds, once for any number of requests', async () => {
  let runs = 0
  let tell: BalanceListener = () => {}
  const rounds = startSalesRounds({
    payments: { watch: async () => {} },
    expiringCredits: { expireDue: async () => {} },
    topUpBuyer: {
      run: async () => {
        runs++
      },
      readThresholds: async () => new Map([['acc_a', micros(50n)]]),
    },
    ledger: {
      onBalance: listener => {
        tell = listener
      },
    },
    log: silentLog,
  })
  try {
    await eventually(() => expect(runs).toBe(1))
    tell('acc_a', balance(50n))
    tell('acc_b', balance(0n))
    for (let count = 0; count < 1000; count++) tell('acc_a', balance(49n))
    await eventually(() => expect(runs).toBe(2))
    expect(runs).toBe(2)
  } finally {
    await rounds.stop()
  }
})
