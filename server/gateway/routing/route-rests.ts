import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { HealthRecorder } from '#domains/provider-health/health-recorder.ts'
import type { AttemptFailure } from '#gateway/providers/provider.ts'
import type { Clock } from '#lib/clock.ts'
import type { Bus } from '#redis/bus.ts'
import type { Log } from '#telemetry/log.ts'
import {
  LONGEST_WORD_MS,
  REST_KINDS,
  REST_RULES,
  type RestKind,
  restKeyOf,
  restKindOf,
} from './rest-kinds.ts'
import { createRestMessages, type RestLength } from './rest-messages.ts'

/** How long one request may take to show that a rest is over before another one tries. */
const PROBE_MS = 30_000

/** A longer word is only worth telling when it is longer by this. */
const NEWS_MS = 1_000

/** A route that is not asked now. */
export type Rest = {
  readonly kind: RestKind
  readonly untilMs: number
  /** Whether the upstream itself named the time. */
  readonly isItsWord: boolean
}

type State = {
  failures: number
  rounds: number
  /** When the rest began; what was asked before it says nothing of it. */
  sinceMs: number
  /** 0: it does not rest, and failures are only counted. */
  untilMs: number
  isItsWord: boolean
  /** Until then somebody is finding out whether the rest is over. */
  probedUntilMs: number
}

export type RouteRestsParts = {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** null where there are no other nodes. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'> | null
  /** Keeps the history; what other nodes tell of, they note themselves. */
  readonly health: Pick<HealthRecorder, 'noteRest' | 'noteProbe' | 'noteRecovery'>
  readonly log: Log
}

/**
 * The circuit breaker: which routes rest, and why. What one node finds out, it tells the others; when they can't hear
 * it, each finds out for itself. Times are of a clock that never jumps, in milliseconds.
 */
export class RouteRests {
  readonly #states: Readonly<Record<RestKind, Map<string, State>>> = {
    throttled: new Map(),
    refused: new Map(),
    failing: new Map(),
  }
  readonly #clock: RouteRestsParts['clock']
  readonly #health: RouteRestsParts['health']
  readonly #log: Log
  readonly #tell: ReturnType<typeof createRestMessages>

  constructor({ clock, bus, health, log }: RouteRestsParts) {
    this.#clock = clock
    this.#health = health
    this.#log = log
    this.#tell = createRestMessages(bus, {
      rests: (kind, key, length) => this.#rest(this.#stateOf(kind, key), length),
      isProbed: (kind, key, ms) => {
        const state = this.#states[kind].get(key)
        if (state) state.probedUntilMs = clock.monotonicMs() + ms
      },
      answers: (kind, key) => {
        this.#states[kind].delete(key)
      },
    })
  }

  /** Whether anything is held against any route: nearly always nothing is, and nobody has to be looked up. */
  areAny(): boolean {
    const { throttled, refused, failing } = this.#states
    return throttled.size > 0 || refused.size > 0 || failing.size > 0
  }

  /** Why the route is not to be asked now; null when it is. */
  find(route: CatalogRoute): Rest | null {
    const nowMs = this.#clock.monotonicMs()
    for (const kind of REST_KINDS) {
      const state = this.#states[kind].get(restKeyOf(kind, route))
      if (!state) continue
      const untilMs = Math.max(state.untilMs, state.probedUntilMs)
      if (nowMs < untilMs) return { kind, untilMs, isItsWord: state.isItsWord }
    }
    return null
  }

  /** Whether the route has failed of late and not answered since, or is not asked now. */
  isFailing(route: CatalogRoute): boolean {
    if (!this.areAny()) return false
    const hasRested = (kind: RestKind) => (this.#states[kind].get(restKeyOf(kind, route))?.untilMs ?? 0) > 0
    return hasRested('failing') || hasRested('refused') || this.find(route) !== null
  }

  /** The route is being asked. Of one whose rest has just passed, this is the probe: others wait for how it ends. */
  asked(route: CatalogRoute): void {
    if (this.areAny()) this.#noteProbe(route, PROBE_MS)
  }

  /** Whoever asked has gone: nothing was found out. */
  notFoundOut(route: CatalogRoute): void {
    if (this.areAny()) this.#noteProbe(route, 0)
  }

  /** The route has answered what it was asked at `askedMs`. */
  answered(route: CatalogRoute, askedMs: number): void {
    if (!this.areAny()) return
    for (const kind of REST_KINDS) this.#end(kind, route, askedMs)
  }

  /** The route has failed at what it was asked at `askedMs`. */
  failed(route: CatalogRoute, failure: AttemptFailure, askedMs: number): void {
    const kind = restKindOf(failure)
    // Whoever refuses or throttles is there: nothing but its upstream's own failures makes a route a failing one.
    if (kind !== 'failing' && this.areAny()) {
      if (failure.meantStatus === undefined) this.notFoundOut(route)
      else this.#end('failing', route, askedMs)
    }
    if (kind === null) return
    const state = this.#stateOf(kind, restKeyOf(kind, route))
    const wordMs = Math.min((failure.retryAfterSeconds ?? 0) * 1000, LONGEST_WORD_MS)
    // Of a throttled one its word is taken; one that merely fails is still asked as the last resort.
    const isItsWord = kind === 'throttled' && wordMs > 0
    if (askedMs < state.untilMs) {
      // It was asked before the rest was over: only a longer word is news.
      const isLonger = isItsWord && this.#clock.monotonicMs() + wordMs > state.untilMs + NEWS_MS
      if (isLonger) this.#begin(kind, route, { ms: wordMs, isItsWord })
      return
    }
    state.failures++
    const { failures, firstMs, longestMs } = REST_RULES[kind]
    if (wordMs === 0 && state.rounds === 0 && state.failures < failures) return
    const ms = wordMs > 0 ? wordMs : Math.min(firstMs * 2 ** state.rounds, longestMs)
    this.#begin(kind, route, { ms, isItsWord })
  }

  #begin(kind: RestKind, route: CatalogRoute, length: RestLength): void {
    const key = restKeyOf(kind, route)
    this.#rest(this.#stateOf(kind, key), length)
    this.#tell.rests(kind, key, length)
    this.#health.noteRest(route, length.ms)
    this.#log.warn({ ...described(kind, route), rests_ms: length.ms }, 'a route rests')
  }

  #rest(state: State, { ms, isItsWord }: RestLength): void {
    state.rounds++
    state.sinceMs = this.#clock.monotonicMs()
    state.untilMs = state.sinceMs + ms
    state.isItsWord = isItsWord
    state.probedUntilMs = 0
  }

  #end(kind: RestKind, route: CatalogRoute, askedMs: number): void {
    const key = restKeyOf(kind, route)
    const state = this.#states[kind].get(key)
    if (!state || askedMs < state.sinceMs) return
    this.#states[kind].delete(key)
    if (state.untilMs === 0) return
    this.#tell.answers(kind, key)
    this.#health.noteRecovery(route)
    this.#log.info(described(kind, route), 'a route answers again')
  }

  #noteProbe(route: CatalogRoute, ms: number): void {
    const nowMs = this.#clock.monotonicMs()
    for (const kind of REST_KINDS) {
      const key = restKeyOf(kind, route)
      const state = this.#states[kind].get(key)
      if (!state || !REST_RULES[kind].isProbed || state.untilMs === 0 || nowMs < state.untilMs) continue
      // Others may ask meanwhile, where there is no other route: one of them is enough to tell of.
      if (ms > 0 && nowMs < state.probedUntilMs) continue
      state.probedUntilMs = ms === 0 ? 0 : nowMs + ms
      this.#tell.isProbed(kind, key, ms)
      if (ms > 0) this.#health.noteProbe(route)
    }
  }

  #stateOf(kind: RestKind, key: string): State {
    const known = this.#states[kind].get(key)
    if (known) return known
    const state = { failures: 0, rounds: 0, sinceMs: 0, untilMs: 0, isItsWord: false, probedUntilMs: 0 }
    this.#states[kind].set(key, state)
    return state
  }
}

function described(reason: RestKind, { provider, upstreamModel }: CatalogRoute) {
  return { provider: provider.name, upstream_model: upstreamModel, reason }
}
