/** The tables in which the service watches itself, as Kysely sees them; conventions as in `tables.ts`. */

/**
 * How providers fared: sums over the attempts of five minutes, an hour and a day. They are counted in the memory of each
 * node and added every few seconds, so a node that is killed takes its last seconds with it. Nothing is charged by them.
 */

/** How an attempt ends: each in one of these ways. */
export const ATTEMPT_ENDS = [
  'answered',
  'throttled',
  'timed_out',
  'unreachable',
  /** The credential was refused. */
  'refused',
  /** Its answer was an error of its own, or no valid one. */
  'failed',
  /** What was asked was refused: that says nothing against the provider. */
  'rejected',
] as const

/** What is counted of attempts; those that broke off are some of those that had answered. */
export const ATTEMPT_COUNTS = [...ATTEMPT_ENDS, 'broke_off'] as const

/** What is counted of the circuit breaker. */
export const REST_COUNTS = [
  'rests',
  /** For how long its routes were to be left alone, over all rests. */
  'rest_ms',
  /** Requests that were sent to find out whether a rest is over. */
  'probes',
  'recoveries',
] as const

export const HEALTH_COUNTS = [...ATTEMPT_COUNTS, ...REST_COUNTS] as const

export type AttemptCount = (typeof ATTEMPT_COUNTS)[number]
export type HealthCount = (typeof HEALTH_COUNTS)[number]
export type HealthCounts = { [Count in HealthCount]: number }

export const HEALTH_KEYS = ['provider_id', 'length_ms', 'started_at', 'upstream_model'] as const

export type ProviderHealthRow = HealthCounts & {
  /** Points to no row: what a provider did outlives it for a while. */
  provider_id: string
  /** Of the span that is summed up. */
  length_ms: number
  started_at: number
  upstream_model: string
}

/** A process that serves, as it was when it noted so last. */
export type ServiceNodeRow = {
  id: string
  /** Of the machine or container. */
  name: string
  /** Where it listens; null while it does not yet. */
  address: string | null
  version: string
  state: 'serving' | 'draining' | 'stopped'
  in_flight: number
  redis: 'ok' | 'down' | null
  memory_bytes: number
  busy_percent: number
  started_at: number
  last_seen_at: number
}

export type WatchTables = { provider_health: ProviderHealthRow; service_nodes: ServiceNodeRow }
