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
export async function makeAttempt(
  { generation, requestId, departure }: Routed,
  route: CatalogRoute,
  { providers, withinMs }: AttemptLimits,
): Promise<AttemptOutcome | 'client-left'> {
  const provider = providers.get(route.provider.kind)
  if (!provider) throw new Error(`No provider of kind ${route.provider.kind}`)
  if (departure.left) return 'client-left'
  const attempt = provider.attempt({ request: generation, route, requestId })
  let timer: NodeJS.Timeout | undefined
  const outcome = await new Promise<AttemptOutcome | 'client-left'>((resolve, reject) => {
    departure.onLeave(() => {
      attempt.abort()
      resolve('client-left')
    })
    attempt.outcome.then(resolve, reject)
    if (withinMs !== null) {
      timer = setTimeout(() => {
        attempt.abort()
        resolve({ kind: 'failed', failure: OUT_OF_TIME })
      }, withinMs)
    }
  })
  clearTimeout(timer)
  departure.onLeave(null)
  return outcome
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
