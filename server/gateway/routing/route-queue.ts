import type { CatalogModel, CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { AttemptFailure } from '#gateway/providers/provider.ts'
import type { Clock } from '#lib/clock.ts'
import { restKindOf } from './rest-kinds.ts'
import type { RouteRests } from './route-rests.ts'

/** The pause before a route is asked again; each further one is twice as long. */
const FIRST_PAUSE_MS = 250

export type RouteQueueParts = {
  readonly rests: Pick<RouteRests, 'find'>
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Numbers from 0 up to but not 1. */
  readonly random: () => number
}

/** A route that failed and may be asked again after a while. */
export type RepeatedRoute = { readonly route: CatalogRoute; readonly waitMs: number }

/**
 * The routes that one request has not asked yet, in their order. One that rests is passed over. When all that are left
 * rest, one of them is asked all the same, as the last resort, unless it said itself how long to wait; and the only
 * route of a model is always asked, since nobody but its upstream can tell.
 */
export class RouteQueue {
  #left: readonly CatalogRoute[]
  #failed: { readonly route: CatalogRoute; readonly fromMs: number }[] = []
  #retriesLeft: number
  #pauseMs = FIRST_PAUSE_MS
  #wasLastResortAsked = false
  readonly #isOnly: boolean
  readonly #parts: RouteQueueParts

  constructor(
    { routes, model }: { readonly routes: readonly CatalogRoute[]; readonly model: CatalogModel },
    parts: RouteQueueParts,
  ) {
    this.#left = routes
    this.#isOnly = routes.length === 1
    this.#retriesLeft = model.routing.retries
    this.#parts = parts
  }

  /** Takes the route to ask next; null when all were asked, or rest. */
  next(): CatalogRoute | null {
    const route = this.#isOnly ? this.#left[0] : (this.#findAwake() ?? this.#findLastResort())
    if (!route) return null
    this.#left = this.#left.filter(other => other !== route)
    return route
  }

  /** Takes the route that may be asked again the soonest; null when none may, or the model wants no more of it. */
  again(): RepeatedRoute | null {
    const [soonest] = this.#failed.toSorted((a, b) => a.fromMs - b.fromMs)
    if (!soonest || this.#retriesLeft === 0) return null
    this.#retriesLeft--
    this.#pauseMs *= 2
    this.#failed = this.#failed.filter(other => other !== soonest)
    return { route: soonest.route, waitMs: Math.max(0, soonest.fromMs - this.#parts.clock.monotonicMs()) }
  }

  /** Where a route failed, its other credentials come last: they lead to the same place. */
  noteFailed(route: CatalogRoute, failure: AttemptFailure): void {
    const others = this.#left.filter(other => other !== route)
    const kind = restKindOf(failure)
    const isSibling = (other: CatalogRoute) => kind === 'failing' && other.routeId === route.routeId
    this.#left = [...others.filter(other => !isSibling(other)), ...others.filter(isSibling)]
    // A refused credential stays refused, and who waited long once does not want to do so twice.
    if (kind === null || kind === 'refused' || failure.error.type === 'upstream_timeout') return
    const wordMs = (failure.retryAfterSeconds ?? 0) * 1000
    const pauseMs = this.#pauseMs * (0.5 + this.#parts.random() / 2)
    this.#failed.push({ route, fromMs: this.#parts.clock.monotonicMs() + Math.max(wordMs, pauseMs) })
  }

  /** Seconds until the soonest of those that were passed over may be asked, as they said; null where none said. */
  restSeconds(): number | null {
    const { rests, clock } = this.#parts
    const untils = this.#left.flatMap(route => {
      const rest = rests.find(route)
      return rest?.isItsWord ? [rest.untilMs] : []
    })
    if (untils.length === 0) return null
    return Math.max(1, Math.ceil((Math.min(...untils) - clock.monotonicMs()) / 1000))
  }

  #findAwake(): CatalogRoute | undefined {
    return this.#left.find(route => this.#parts.rests.find(route) === null)
  }

  #findLastResort(): CatalogRoute | undefined {
    if (this.#wasLastResortAsked) return undefined
    const route = this.#left.find(other => !this.#parts.rests.find(other)?.isItsWord)
    this.#wasLastResortAsked = route !== undefined
    return route
  }
}
