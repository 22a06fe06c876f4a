import { type RawBuilder, sql } from 'kysely'

export type DrawnRequests = {
  /** The numbers of the requests: the first, and the one behind the last. */
  readonly from: number
  readonly to: number
  readonly records: number
  readonly days: number
  readonly untilMs: number
  readonly accounts: number
  readonly keys: number
}

const MODELS = 12
const WEIGHTS = '{"input":"2.5","cache_read":"0.25","cache_write":"3","output":"10"}'
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** A number from 0 to 32767 that follows from the request's own, and looks drawn; `prime` tells draws apart. */
const drawn = (prime: number) => `(((i * i + 7 * i) % ${prime}) * 2654435761 % 4294967296) / 131072`

/** A number from 0 to `most`, small ones far more often: of an account, a key, a model. */
function skewed(draw: string, most: number, times: number): string {
  return `cast(${most}${` * ${draw} / 32768`.repeat(times)} as integer)`
}

/** So many letters of base 32, as identifiers are written. */
function letters(value: string, count: number): string {
  const places = Array.from({ length: count }, (_, index) => 5 * (count - 1 - index))
  return places
    .map(shift => `substr('${ALPHABET}', cast((${value} >> ${shift}) & 31 as integer) + 1, 1)`)
    .join(' || ')
}

/**
 * The statement that puts the requests of these numbers on record, later ones later: most of few accounts, keys and
 * models, some failed, some left by their clients; charged by the weights on their records.
 */
export function drawnRequests({
  from,
  to,
  records,
  days,
  untilMs,
  accounts,
  keys,
}: DrawnRequests): RawBuilder<unknown> {
  const spanMs = days * 86_400_000
  return sql.raw(`
    insert into requests (id, account_id, key_id, model, endpoint, stream, provider, upstream_model, status, http_status,
      input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, weights_json, charge_micros, usage_source,
      latency_ms, first_token_ms, error_type, created_at)
    with recursive numbers(i) as (
      select cast(${from} as bigint) union all select i + 1 from numbers where i + 1 < ${to}
    ), draws as (
      select i, ${drawn(1000003)} as a, ${drawn(999983)} as b, ${drawn(999979)} as c,
        ${untilMs - spanMs} + i * ${spanMs} / ${records} as moment, i * 7919 % 1000 as luck
      from numbers
    ), chosen as (
      select draws.*, ${skewed('a', accounts, 4)} as account, ${skewed('b', keys, 2)} as keyed,
        ${skewed('c', MODELS, 2)} as model, case when luck < 965 then 'succeeded' when luck < 990 then 'failed'
        else 'cancelled' end as status
      from draws
    ), counted as (
      select chosen.*, case when status = 'failed' then 0 else 200 + b % 4000 end as input,
        case when status = 'failed' or i % 3 > 0 then 0 else c % 2000 end as cached,
        case when status = 'failed' then 0 else a % 1500 end as output,
        30 + a * b / 32768 * c / 32768 as latency
      from chosen
    )
    select 'req_' || ${letters('moment', 10)} || ${letters('i', 6)} || '0000000000', bench_accounts.id, bench_keys.id,
      'vendor/model-' || model, case when model = 11 then 'embeddings' else 'chat' end,
      case when model < 8 then 1 else 0 end, 'Provider ' || (model % 3), 'model-' || model, status,
      case when status <> 'failed' then 200 when i % 5 < 3 then 502 when i % 5 = 3 then 504 else 400 end, input, cached, 0, output, '${WEIGHTS}',
      (input * 10 + cached + output * 40 + 3) / 4, case when status = 'failed' then null else 'upstream' end, latency,
      case when model < 8 and status <> 'failed' then 20 + latency / 4 end,
      case when status <> 'failed' then null when i % 5 < 3 then 'upstream_error' when i % 5 = 3 then 'upstream_timeout'
        else 'invalid_request_error' end, moment
    from counted join bench_accounts on bench_accounts.number = counted.account
      join bench_keys on bench_keys.account = counted.account and bench_keys.number = counted.keyed`)
}
