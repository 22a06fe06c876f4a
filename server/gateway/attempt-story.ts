import type { AttemptOutcome, RequestAttempt } from '#contract/usage.ts'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { AttemptFailure } from './providers/provider.ts'

const OK = 200

/**
 * How the routes of one request fared, one after the other. It is begun with the first thing worth telling: most
 * requests have none.
 */
export class AttemptStory {
  readonly told: RequestAttempt[] = []

  failed(route: CatalogRoute, failure: AttemptFailure, durationMs: number): void {
    this.#tell(route, outcomeOf(failure), { status: failure.upstreamStatus ?? null, durationMs })
  }

  answered(route: CatalogRoute, durationMs: number): void {
    this.#tell(route, 'answered', { status: OK, durationMs })
  }

  clientLeft(route: CatalogRoute, durationMs: number): void {
    this.#tell(route, 'client_left', { status: null, durationMs })
  }

  /** The stream of the attempt that had answered has broken off. */
  brokeOff(): void {
    const last = this.told.pop()
    if (last) this.told.push({ ...last, outcome: 'broke_off' })
  }

  #tell(
    { provider, upstreamModel }: CatalogRoute,
    outcome: AttemptOutcome,
    { status, durationMs }: { readonly status: number | null; readonly durationMs: number },
  ): void {
    this.told.push({
      provider: provider.name,
      upstream_model: upstreamModel,
      outcome,
      http_status: status,
      duration_ms: Math.round(durationMs),
    })
  }
}

function outcomeOf({ error, tryElsewhere, wasNotAsked }: AttemptFailure): AttemptOutcome {
  if (wasNotAsked) return 'not_carried_over'
  switch (error.type) {
    case 'upstream_rate_limited':
      return 'throttled'
    case 'upstream_timeout':
      return 'timed_out'
    case 'invalid_request_error':
      return 'refused'
    default:
      return tryElsewhere ? 'failed' : 'refused'
  }
}
