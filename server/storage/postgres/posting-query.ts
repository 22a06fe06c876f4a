/** The one statement through which balances change on Postgres. */
import { DatabaseError } from 'pg'
import { type Micros, micros } from '#lib/money.ts'
import type { NewEntry, Posting, PostingOutcome } from '../storage.ts'
import type { RequestRow } from '../tables.ts'
import { BoundArray, type ElementType } from './parameters.ts'
import { readRows, type TextResult } from './read-rows.ts'
import type { SessionQuery } from './session.ts'

type Column<Source> = {
  readonly name: string
  readonly type: ElementType
  readonly value: (source: Source) => unknown
}

/** A posting travels as one array a column; each value is read by its own name, which is what engines do fast. */
const REQUEST_COLUMNS: readonly Column<RequestRow>[] = [
  { name: 'id', type: 'text', value: row => row.id },
  { name: 'account_id', type: 'text', value: row => row.account_id },
  { name: 'key_id', type: 'text', value: row => row.key_id },
  { name: 'model', type: 'text', value: row => row.model },
  { name: 'endpoint', type: 'text', value: row => row.endpoint },
  { name: 'stream', type: 'bigint', value: row => row.stream },
  { name: 'provider', type: 'text', value: row => row.provider },
  { name: 'upstream_model', type: 'text', value: row => row.upstream_model },
  { name: 'status', type: 'text', value: row => row.status },
  { name: 'http_status', type: 'bigint', value: row => row.http_status },
  { name: 'input_tokens', type: 'bigint', value: row => row.input_tokens },
  { name: 'cache_read_tokens', type: 'bigint', value: row => row.cache_read_tokens },
  { name: 'cache_write_tokens', type: 'bigint', value: row => row.cache_write_tokens },
  { name: 'cache_write_1h_tokens', type: 'bigint', value: row => row.cache_write_1h_tokens },
  { name: 'output_tokens', type: 'bigint', value: row => row.output_tokens },
  { name: 'weights_json', type: 'text', value: row => row.weights_json },
  { name: 'unit_json', type: 'text', value: row => row.unit_json },
  { name: 'charge_micros', type: 'bigint', value: row => row.charge_micros },
  { name: 'usage_source', type: 'text', value: row => row.usage_source },
  { name: 'latency_ms', type: 'bigint', value: row => row.latency_ms },
  { name: 'first_token_ms', type: 'bigint', value: row => row.first_token_ms },
  { name: 'error_type', type: 'text', value: row => row.error_type },
  { name: 'error_code', type: 'text', value: row => row.error_code },
  { name: 'client_request_id', type: 'text', value: row => row.client_request_id },
  { name: 'anomalous_usage_json', type: 'text', value: row => row.anomalous_usage_json },
  // A posting that an older version deferred has none.
  { name: 'attempts_json', type: 'text', value: row => row.attempts_json ?? null },
  { name: 'created_at', type: 'bigint', value: row => row.created_at },
]

const ENTRY_COLUMNS: readonly Column<NewEntry>[] = [
  { name: 'id', type: 'text', value: entry => entry.id },
  { name: 'kind', type: 'text', value: entry => entry.kind },
  { name: 'amount_micros', type: 'bigint', value: entry => entry.amount_micros },
  { name: 'request_id', type: 'text', value: entry => entry.request_id },
  { name: 'order_id', type: 'text', value: entry => entry.order_id },
  { name: 'note', type: 'text', value: entry => entry.note },
  { name: 'created_at', type: 'bigint', value: entry => entry.created_at },
]

const COLUMNS: readonly Column<Posting>[] = [
  { name: 'posting_account_id', type: 'text', value: posting => posting.accountId },
  ...REQUEST_COLUMNS.map(({ name, type, value }) => ({
    name: `request_${name}`,
    type,
    value: ({ request }: Posting) => (request ? value(request) : null),
  })),
  ...ENTRY_COLUMNS.map(({ name, type, value }) => ({
    name: `entry_${name}`,
    type,
    value: ({ entry }: Posting) => (entry ? value(entry) : null),
  })),
]

const names = (columns: readonly { readonly name: string }[], prefix = '') =>
  columns.map(({ name }) => prefix + name).join(', ')

/**
 * Posts a batch. The accounts are locked in the order of their ids, so that nodes which post to the same accounts wait
 * for each other and never in a circle; under the locks each account's newest state is read, and every posting finds its
 * place on the ledger after those before it. A request that is on record already, or whose account is missing, is left
 * out of all that follows; or it fails the statement, where the caller counts on all of them.
 *
 * A batch may hold several postings if all of them are charges or not charged: only a posting by itself may allocate.
 */
const POST = `
with incoming as materialized (
  select * from unnest(${COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})
    with ordinality as posting (${names(COLUMNS)}, place)
), locked as materialized (
  select id, allocated_micros, used_micros, last_allocation_micros, ledger_sequence
  from accounts where id = any($1::text[]) order by id for no key update
), recorded as (
  insert into requests (${names(REQUEST_COLUMNS)})
  select ${names(REQUEST_COLUMNS, 'request_')} from incoming join locked on locked.id = posting_account_id
  where request_id is not null
  on conflict do nothing
  returning id
), numbered as materialized (
  select place, posting_account_id, ${names(ENTRY_COLUMNS, 'entry_')},
    (ledger_sequence + count(entry_id) over earlier)::bigint as sequence,
    (allocated_micros + coalesce(sum(entry_amount_micros) filter (where entry_kind <> 'charge') over earlier, 0))::bigint
      as allocated_micros,
    (used_micros - coalesce(sum(entry_amount_micros) filter (where entry_kind = 'charge') over earlier, 0))::bigint
      as used_micros,
    case when entry_kind in ('purchase', 'grant') and entry_amount_micros > 0
      then entry_amount_micros else last_allocation_micros end as last_allocation_micros
  from incoming join locked on locked.id = posting_account_id
  where request_id is null or request_id in (select id from recorded)
  window earlier as (partition by posting_account_id order by place rows unbounded preceding)
), changed as (
  update accounts set allocated_micros = newest.allocated_micros, used_micros = newest.used_micros,
    last_allocation_micros = newest.last_allocation_micros, ledger_sequence = newest.sequence
  from (
    select distinct on (posting_account_id) * from numbered
    where entry_id is not null order by posting_account_id, place desc
  ) as newest
  where accounts.id = newest.posting_account_id
), entered as (
  insert into ledger_entries (account_id, sequence, balance_after_micros, ${names(ENTRY_COLUMNS)})
  select posting_account_id, sequence, allocated_micros - used_micros, ${names(ENTRY_COLUMNS, 'entry_')}
  from numbered where entry_id is not null
)
select locked.id is not null as is_known, numbered.place is not null as is_posted,
  numbered.allocated_micros, numbered.used_micros, numbered.last_allocation_micros, numbered.sequence,
  case when $${COLUMNS.length + 1}::boolean and numbered.place is null
    then 1 / (incoming.place - incoming.place) end as is_missing
from incoming left join locked on locked.id = posting_account_id left join numbered using (place)
order by incoming.place`

/** Nothing else in the statement divides. */
const DIVISION_BY_ZERO = '22012'

/** Whether the statement failed because a posting was to be left out. */
export function isLeftOut(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === DIVISION_BY_ZERO
}

/**
 * The statement that posts all of them; their outcomes are read with `readPosted`. `allOrNone`: it fails when one of them
 * would be left out, by which `isLeftOut` knows it.
 */
export function postingQuery(postings: readonly Posting[], { allOrNone = false } = {}): SessionQuery {
  const values = COLUMNS.map(({ type, value }) => new BoundArray(type, postings.map(value)))
  return { name: 'post', text: POST, values: [...values, allOrNone ? 'true' : 'false'] }
}

type PostedRow = {
  readonly is_known: 0 | 1
  readonly is_posted: 0 | 1
  readonly allocated_micros: Micros
  readonly used_micros: Micros
  readonly last_allocation_micros: Micros
  readonly sequence: number
}

/** What became of each posting, in their order. */
export function readPosted(postings: readonly Posting[], result: TextResult): PostingOutcome[] {
  // The statement above selects exactly these columns, one row for each posting.
  const rows = readRows(result) as PostedRow[]
  return rows.map((row, index) => toOutcome(postings[index], row))
}

function toOutcome(posting: Posting | undefined, row: PostedRow): PostingOutcome {
  if (!posting || row.is_known === 0) return { kind: 'no-account' }
  if (row.is_posted === 0) return { kind: 'already-posted' }
  const { allocated_micros: allocatedMicros, used_micros: usedMicros, sequence } = row
  return {
    kind: 'posted',
    entry: posting.entry && {
      ...posting.entry,
      account_id: posting.accountId,
      sequence,
      balance_after_micros: micros(allocatedMicros - usedMicros),
    },
    balance: { allocatedMicros, usedMicros, lastAllocationMicros: row.last_allocation_micros, sequence },
  }
}
