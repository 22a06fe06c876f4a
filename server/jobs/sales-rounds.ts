import type { ExpiringCredits } from '#domains/billing/expiring-credits.ts'
import type { Ledger } from '#domains/billing/ledger.ts'
import type { Payments } from '#domains/orders/payments.ts'
import type { TopUpBuyer } from '#domains/orders/top-up-buyer.ts'
import type { Micros } from '#lib/money.ts'
import { oneAtATime } from '#lib/one-at-a-time.ts'
import { type Log, loggableError } from '#telemetry/log.ts'

const EVERY_MS = 60_000
/** A balance below its threshold is looked at this soon, and not more often, however many requests it has. */
const PROMPT_MS = 1_000

export type SalesRoundsParts = {
  readonly payments: Pick<Payments, 'watch'>
  readonly topUpBuyer: TopUpBuyer
  readonly expiringCredits: Pick<ExpiringCredits, 'expireDue'>
  readonly ledger: Pick<Ledger, 'onBalance'>
  readonly log: Log
}

/**
 * Looks after everything about money that nobody's request brings about: payments whose message was lost, orders and
 * credits whose time is over, balances that fell below their top-up threshold. Every node may do all of it.
 */
export function startSalesRounds(parts: SalesRoundsParts): { stop(): Promise<void> } {
  const { payments, topUpBuyer, expiringCredits, ledger, log } = parts
  let thresholds: ReadonlyMap<string, Micros> = new Map()
  let soon: NodeJS.Timeout | null = null

  async function attempt(what: string, task: () => Promise<void>): Promise<void> {
    await task().catch((error: unknown) => {
      log.warn({ error: loggableError(error) }, `${what} could not be looked after; it is tried again`)
    })
  }

  const topUps = oneAtATime(() =>
    attempt('automatic top-ups', async () => {
      thresholds = await topUpBuyer.readThresholds()
      await topUpBuyer.run()
    }),
  )
  const round = oneAtATime(async () => {
    await attempt('open orders', payments.watch)
    await attempt('ending credits', expiringCredits.expireDue)
  })

  // The thresholds are a picture in memory: on the path of a request this costs one look into a map.
  ledger.onBalance((accountId, { allocatedMicros, usedMicros }) => {
    const threshold = thresholds.get(accountId)
    if (threshold === undefined || allocatedMicros - usedMicros >= threshold || soon) return
    soon = setTimeout(() => {
      soon = null
      topUps.start()
    }, PROMPT_MS)
    soon.unref()
  })

  const begin = () => {
    round.start()
    topUps.start()
  }
  const timer = setInterval(begin, EVERY_MS)
  timer.unref()
  begin()
  return {
    async stop() {
      clearInterval(timer)
      if (soon) clearTimeout(soon)
      await Promise.all([round.settled(), topUps.settled()])
    },
  }
}
