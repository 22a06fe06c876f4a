import { refusals } from '#contract/errors.ts'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { Routed } from './exchange.ts'
import type { AttemptFailure, AttemptOutcome, Providers } from './providers/provider.ts'

const OUT_OF_TIME: AttemptFailure = {
  error: refusals.upstreamTimedOut(),
  tryElsewhere: false,
  detail: 'no answer within the time that requests of this model have',
}

export type AttemptLimits = {
  readonly providers: Providers
  /** How long it may take in all; null: as long as the upstream's own time-outs let it. */
  readonly withinMs: number | null
}

/** Makes one attempt, which ends at once when the client leaves. */
export function makeAttempt(
  { generation, requestId, departure }: Routed,
  route: CatalogRoute,
  { providers, withinMs }: AttemptLimits,
): Promise<AttemptOutcome | 'client-left'> {
  return new Promise((resolve, reject) => {
    const provider = providers.get(route.provider.kind)
    if (!provider) throw new Error(`No provider of kind ${route.provider.kind}`)
    if (departure.left) {
      resolve('client-left')
      return
    }
    const attempt = provider.attempt({ request: generation, route, requestId })
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const end = (outcome: AttemptOutcome | 'client-left') => {
      // What comes of it later is no concern of the request any more, which may be at its next attempt.
      if (isOver) return
      isOver = true
      if (timer) clearTimeout(timer)
      departure.onLeave(null)
      resolve(outcome)
    }
    departure.onLeave(() => {
      attempt.abort()
      end('client-left')
    })
    attempt.outcome.then(end, reject)
    if (withinMs !== null) {
      timer = setTimeout(() => {
        attempt.abort()
        end({ kind: 'failed', failure: OUT_OF_TIME })
      }, withinMs)
    }
  })
}

/** Waits; resolves early, with true, when the client leaves. */
export function waitUnlessLeft({ departure }: Pick<Routed, 'departure'>, ms: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      departure.onLeave(null)
      resolve(false)
    }, ms)
    departure.onLeave(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
