/** Sums up the records of one group of postings, so that a group writes each of its roll-ups once. */
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { RequestRow } from '../tables.ts'
import { bucketOf } from './duration-buckets.ts'
import {
  COUNT_COLUMNS,
  type CountColumn,
  DAY_MS,
  type FailureKind,
  FIRST_TOKEN_COLUMNS,
  HOUR_MS,
  LATENCY_COLUMNS,
  type UsageDimensions,
} from './usage-tables.ts'

/** What the roll-ups of its hour take of a record. */
export type RolledUpRequest = Pick<
  RequestRow,
  | 'account_id'
  | 'key_id'
  | 'model'
  | 'endpoint'
  | 'provider'
  | 'status'
  | 'input_tokens'
  | 'cache_read_tokens'
  | 'cache_write_tokens'
  | 'output_tokens'
  | 'weights_json'
  | 'charge_micros'
  | 'usage_source'
  | 'latency_ms'
  | 'first_token_ms'
  | 'error_type'
  | 'created_at'
>

/** One row to be added to a table: its keys in their order, its counts in the order of `COUNT_COLUMNS`, its amount. */
export type RollUpRow = {
  readonly keys: readonly (string | number)[]
  readonly counts: number[]
  chargeMicros: Micros
}

/** The tables that are written with the records; the sums of days are made of them later. */
export type RollUpTable = 'usage_hours' | 'service_hours'

const INDEX_OF = Object.fromEntries(COUNT_COLUMNS.map((column, index) => [column, index])) as Record<
  CountColumn,
  // The list holds every column once, so each has its place.
  number
>
const FIRST_LATENCY = INDEX_OF[LATENCY_COLUMNS[0] ?? 'latency_00']
const FIRST_FIRST_TOKEN = INDEX_OF[FIRST_TOKEN_COLUMNS[0] ?? 'first_token_00']

/** Why a failed request failed, by the type of its error. */
function failureKind(errorType: string | null): FailureKind {
  switch (errorType) {
    case 'invalid_request_error':
      return 'invalid'
    case 'upstream_rate_limited':
      return 'throttled'
    case 'upstream_error':
      return 'upstream'
    case 'upstream_timeout':
      return 'timeout'
    default:
      return 'service'
  }
}

/** The roll-ups of one group. `shard` tells writers apart that work at the same time. */
export class RollUp {
  readonly #shard: number
  readonly #hours = new Map<string, HourRow>()
  #last: HourRow | null = null

  constructor(shard: number) {
    this.#shard = shard
  }

  add(request: RolledUpRequest): void {
    // Requests of one key often come one after the other.
    if (this.#last === null || !isOf(this.#last, request)) this.#last = this.#rowFor(request)
    addRequest(this.#last, request)
  }

  #rowFor(request: RolledUpRequest): HourRow {
    const { account_id, key_id, endpoint } = request
    const model = modelOf(request)
    const provider = request.provider ?? ''
    const hour = hourOf(request)
    const name = `${hour}\n${account_id}\n${key_id}\n${model}\n${endpoint}\n${provider}`
    let row = this.#hours.get(name)
    if (!row) {
      row = {
        ...emptyRow([hour, account_id, key_id, model, endpoint, provider]),
        hour,
        accountId: account_id,
        keyId: key_id,
        model,
        endpoint,
        provider,
      }
      this.#hours.set(name, row)
    }
    return row
  }

  /** The rows to be added to a table, in the order of their keys: so writers never wait for each other in a circle. */
  rowsOf(table: RollUpTable): RollUpRow[] {
    const rows = table === 'usage_hours' ? this.#hours : this.#overAllAccounts()
    return [...rows.keys()].sort().flatMap(name => rows.get(name) ?? [])
  }

  /** The days, in milliseconds since the epoch, that something was added to, the oldest first. */
  days(): number[] {
    const days = new Set(this.#hours.values().map(({ hour }) => hour - (hour % DAY_MS)))
    return [...days].sort((a, b) => a - b)
  }

  #overAllAccounts(): Map<string, RollUpRow> {
    const rows = new Map<string, RollUpRow>()
    for (const row of this.#hours.values()) {
      const { hour, model, endpoint, provider } = row
      const name = `${hour}\n${model}\n${endpoint}\n${provider}`
      const sum = rows.get(name) ?? emptyRow([hour, model, endpoint, provider, this.#shard])
      rows.set(name, sum)
      addRow(sum, row)
    }
    return rows
  }
}

type HourRow = RollUpRow &
  Pick<UsageDimensions, 'model' | 'endpoint' | 'provider'> & {
    readonly hour: number
    readonly accountId: string
    readonly keyId: string
  }

function isOf(row: HourRow, request: RolledUpRequest): boolean {
  return (
    row.keyId === request.key_id &&
    row.model === modelOf(request) &&
    row.provider === (request.provider ?? '') &&
    row.hour === hourOf(request) &&
    row.accountId === request.account_id &&
    row.endpoint === request.endpoint
  )
}

/** A model that has weights is one of ours; what else a caller named stands in the record alone. */
function modelOf({ model, weights_json }: RolledUpRequest): string {
  return weights_json === null ? '' : (model ?? '')
}

function hourOf({ created_at }: RolledUpRequest): number {
  return created_at - (created_at % HOUR_MS)
}

function emptyRow(keys: RollUpRow['keys']): RollUpRow {
  return { keys, counts: new Array<number>(COUNT_COLUMNS.length).fill(0), chargeMicros: ZERO_MICROS }
}

function addRow(sum: RollUpRow, { counts, chargeMicros }: RollUpRow): void {
  for (let index = 0; index < counts.length; index++) {
    sum.counts[index] = (sum.counts[index] ?? 0) + (counts[index] ?? 0)
  }
  sum.chargeMicros = micros(sum.chargeMicros + chargeMicros)
}

function addRequest(row: RollUpRow, request: RolledUpRequest): void {
  const { counts } = row
  row.chargeMicros = micros(row.chargeMicros + request.charge_micros)
  const raise = (index: number, by: number): void => {
    counts[index] = (counts[index] ?? 0) + by
  }
  raise(INDEX_OF.requests, 1)
  if (request.status === 'succeeded') {
    raise(INDEX_OF.succeeded, 1)
    raise(INDEX_OF.latency_ms_sum, request.latency_ms)
    raise(FIRST_LATENCY + bucketOf(request.latency_ms), 1)
  } else if (request.status === 'cancelled') raise(INDEX_OF.cancelled, 1)
  else raise(INDEX_OF[`failed_${failureKind(request.error_type)}`], 1)
  if (request.usage_source === 'estimate') raise(INDEX_OF.estimated, 1)
  raise(INDEX_OF.input_tokens, request.input_tokens)
  raise(INDEX_OF.cache_read_tokens, request.cache_read_tokens)
  raise(INDEX_OF.cache_write_tokens, request.cache_write_tokens)
  raise(INDEX_OF.output_tokens, request.output_tokens)
  if (request.first_token_ms === null) return
  raise(INDEX_OF.first_token_ms_sum, request.first_token_ms)
  raise(FIRST_FIRST_TOKEN + bucketOf(request.first_token_ms), 1)
}
