import { refusals, type ServiceError } from '#contract/errors.ts'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { Clock } from '#lib/clock.ts'
import type { Log } from '#telemetry/log.ts'
import { AttemptStory } from './attempt-story.ts'
import type { Routed } from './exchange.ts'
import type {
  AttemptFailure,
  AttemptOutcome,
  ProviderReply,
  ProviderStream,
  Providers,
} from './providers/provider.ts'
import type { RouteHealth } from './routing/route-health.ts'

type Answered =
  | { readonly kind: 'reply'; readonly route: CatalogRoute; readonly reply: ProviderReply }
  | { readonly kind: 'stream'; readonly route: CatalogRoute; readonly stream: ProviderStream }
  | { readonly kind: 'refused'; readonly route: CatalogRoute | null; readonly error: ServiceError }
  | { readonly kind: 'client-left'; readonly route: CatalogRoute }

export type Answer = Answered & {
  /** null where the first route answered, or none was asked: there is nothing to tell. */
  readonly story: AttemptStory | null
}

export type TryingParts = {
  readonly providers: Providers
  readonly health: RouteHealth
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
}

/** Tries the routes in their order until one answers; nothing has gone to the client while this goes on. */
export async function tryRoutes(routed: Routed, parts: TryingParts): Promise<Answer> {
  const failures: AttemptFailure[] = []
  let story: AttemptStory | null = null
  let lastRoute: CatalogRoute | null = null
  for (const route of routed.routes) {
    lastRoute = route
    const begunMs = parts.clock.monotonicMs()
    const outcome = await attemptUnlessLeft(routed, route, parts)
    if (outcome === 'client-left') {
      story?.clientLeft(route, parts.clock.monotonicMs() - begunMs)
      return { kind: 'client-left', route, story }
    }
    if (outcome.kind !== 'failed') {
      parts.health.succeeded(route.id)
      story?.answered(route, parts.clock.monotonicMs() - begunMs)
      return { ...outcome, route, story }
    }
    story ??= new AttemptStory()
    story.failed(route, outcome.failure, parts.clock.monotonicMs() - begunMs)
    noteFailure(routed, route, outcome.failure, parts)
    failures.push(outcome.failure)
    if (!outcome.failure.tryElsewhere) break
  }
  return { kind: 'refused', route: lastRoute, error: finalError(failures), story }
}

async function attemptUnlessLeft(
  { generation, requestId, departure }: Routed,
  route: CatalogRoute,
  { providers }: TryingParts,
): Promise<AttemptOutcome | 'client-left'> {
  const provider = providers.get(route.provider.kind)
  if (!provider) throw new Error(`No provider of kind ${route.provider.kind}`)
  if (departure.left) return 'client-left'
  const attempt = provider.attempt({ request: generation, route, requestId })
  const outcome = await new Promise<AttemptOutcome | 'client-left'>((resolve, reject) => {
    departure.onLeave(() => {
      attempt.abort()
      resolve('client-left')
    })
    attempt.outcome.then(resolve, reject)
  })
  departure.onLeave(null)
  return outcome
}

function noteFailure(
  { requestId, model }: Routed,
  route: CatalogRoute,
  failure: AttemptFailure,
  { health, log }: TryingParts,
): void {
  // A refusal of the request says nothing against the route.
  if (failure.tryElsewhere && !failure.wasNotAsked) health.failed(route.id)
  log.warn(
    {
      request_id: requestId,
      model: model.id,
      provider: route.provider.name,
      upstream_model: route.upstreamModel,
      error: { type: failure.error.type, status: failure.error.status, detail: failure.detail },
    },
    'an attempt failed',
  )
}

/** What the client is told when no route answered: the last failure, or when to come back if all were throttled. */
function finalError(all: readonly AttemptFailure[]): ServiceError {
  // That one upstream can't be told something matters only where no other failed otherwise.
  const asked = all.filter(failure => !failure.wasNotAsked)
  const failures = asked.length > 0 ? asked : all
  const last = failures.at(-1)
  if (!last) return refusals.unavailable('No upstream serves this model right now')
  if (!failures.every(failure => failure.error.type === 'upstream_rate_limited')) return last.error
  const waits = failures.flatMap(failure => {
    const seconds = failure.error.headers?.['retry-after']
    return seconds === undefined ? [] : [Number(seconds)]
  })
  return refusals.upstreamThrottled(waits.length === 0 ? null : Math.min(...waits))
}
