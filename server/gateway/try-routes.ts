import type { ServiceError } from '#contract/errors.ts'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { HealthRecorder } from '#domains/provider-health/health-recorder.ts'
import type { Clock } from '#lib/clock.ts'
import type { Log } from '#telemetry/log.ts'
import { AttemptStory } from './attempt-story.ts'
import { attemptCountOf } from './count-attempt.ts'
import type { Routed } from './exchange.ts'
import { finalError } from './final-error.ts'
import { makeAttempt, waitUnlessLeft } from './make-attempt.ts'
import type { AttemptFailure, ProviderReply, ProviderStream, Providers } from './providers/provider.ts'
import type { Latencies } from './routing/latencies.ts'
import { RouteQueue } from './routing/route-queue.ts'
import type { RouteRests } from './routing/route-rests.ts'

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
  readonly rests: RouteRests
  readonly health: Pick<HealthRecorder, 'noteAttempt'>
  readonly latencies: Latencies
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly random: () => number
  readonly log: Log
}

/** No attempt begins after this, where the model does not say otherwise. */
const MAX_TRYING_MS = 600_000

/**
 * Tries the routes in their order until one answers, within the ceilings of the model; nothing has gone to the client
 * while this goes on.
 */
export async function tryRoutes(routed: Routed, parts: TryingParts): Promise<Answer> {
  const { routes, model, generation } = routed
  const { rests, health, latencies, clock } = parts
  const { maxAttempts, maxMs } = model.routing
  const failures: AttemptFailure[] = []
  let story: AttemptStory | null = null
  let queue = rests.areAny() ? new RouteQueue(routed, parts) : null
  let route = queue ? queue.next() : (routes[0] ?? null)
  let lastRoute: CatalogRoute | null = null
  let begunMs = clock.monotonicMs()
  const endMs = begunMs + (maxMs ?? MAX_TRYING_MS)
  while (route !== null) {
    lastRoute = route
    rests.asked(route)
    const withinMs = maxMs === null ? null : Math.max(1, endMs - begunMs)
    const outcome = await makeAttempt(routed, route, { providers: parts.providers, withinMs })
    const tookMs = clock.monotonicMs() - begunMs
    if (outcome === 'client-left') {
      rests.notFoundOut(route)
      story?.clientLeft(route, tookMs)
      return { kind: 'client-left', route, story }
    }
    if (outcome.kind !== 'failed') {
      rests.answered(route, begunMs)
      health.noteAttempt(route, 'answered')
      if (model.routing.order === 'least_latency') latencies.note(route, generation.stream, tookMs)
      story?.answered(route, tookMs)
      return { ...outcome, route, story }
    }
    const { failure } = outcome
    story ??= new AttemptStory()
    story.failed(route, failure, tookMs)
    rests.failed(route, failure, begunMs)
    const counted = attemptCountOf(failure)
    if (counted !== null) health.noteAttempt(route, counted)
    parts.log.warn(failureLine(routed, route, failure), 'an attempt failed')
    failures.push(failure)
    if (!failure.tryElsewhere || failures.length >= maxAttempts) break
    queue ??= new RouteQueue(routed, parts)
    queue.noteFailed(route, failure)
    const next = await findNext(routed, queue, endMs - clock.monotonicMs())
    if (next === 'client-left') return { kind: 'client-left', route, story }
    route = next
    begunMs = clock.monotonicMs()
  }
  return {
    kind: 'refused',
    route: lastRoute,
    error: finalError(failures, queue?.restSeconds() ?? null),
    story,
  }
}

/** The route to ask next, perhaps after a pause; null when there is none, or no time is left for it. */
async function findNext(
  routed: Routed,
  queue: RouteQueue,
  leftMs: number,
): Promise<CatalogRoute | 'client-left' | null> {
  if (leftMs <= 0) return null
  const next = queue.next()
  if (next) return next
  const repeated = queue.again()
  if (!repeated || repeated.waitMs >= leftMs) return null
  return (await waitUnlessLeft(routed, repeated.waitMs)) ? 'client-left' : repeated.route
}

function failureLine(
  { requestId, model }: Routed,
  { provider, upstreamModel }: CatalogRoute,
  { error, detail }: AttemptFailure,
) {
  return {
    request_id: requestId,
    model: model.id,
    provider: provider.name,
    upstream_model: upstreamModel,
    error: { type: error.type, status: error.status, detail },
  }
}
