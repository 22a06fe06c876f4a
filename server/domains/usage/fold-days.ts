/**
 * Sums up the hours of days that are over, so that months are read from few rows. Nothing is lost while it does not run:
 * what is not folded is read from its hours. A record that comes late takes its day off the list of folded ones in its
 * own transaction (`storage/roll-ups`), and the day is folded anew.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '#lib/clock.ts'
import {
  type AccountUsageRow,
  COUNT_COLUMNS,
  DAY_MS,
  HOUR_MS,
  SERVICE_KEYS,
  type ServiceUsageRow,
  USAGE_KEYS,
  type UsageRow,
} from '#storage/roll-ups/usage-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { hoursBetween } from './usage-sums.ts'

/** By then hardly any request of the day is still under way. */
const CLOSED_AFTER_MS = 2 * HOUR_MS
/** A settlement that looked for the day's mark just before it was set is committed by then. */
const SETTLE_MS = 1_000
const ROWS_IN_UNIT = 50
/** Between two units, so that settlements hardly notice. */
const PAUSE_MS = 20

const SUMS = [...COUNT_COLUMNS, 'charge_micros'] as const
/** What was written before for the same day gives way. */
const REPLACED = Object.fromEntries(
  SUMS.map(column => [column, sql<never>`${sql.ref(`excluded.${column}`)}`]),
)

export type FoldDaysOptions = {
  readonly storage: Pick<Storage, 'db' | 'reports' | 'commit'>
  readonly clock: Clock
  /** Looked at between two units: true ends the work, which goes on with the next call. */
  readonly shouldStop?: () => boolean
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** Folds every day that is over and not folded yet, the newest first; gives how many it has folded. */
export async function foldDays(options: FoldDaysOptions): Promise<number> {
  let folded = 0
  for (const day of await findUnfoldedDays(options)) {
    if (options.shouldStop?.()) break
    if (await foldDay(day, options)) folded++
  }
  return folded
}

async function findUnfoldedDays({ storage: { reports }, clock }: FoldDaysOptions): Promise<number[]> {
  const day = sql<number>`started_at - started_at % ${sql.lit(DAY_MS)}`
  const days = await reports
    .selectFrom('service_hours')
    .select(day.as('day'))
    .distinct()
    .where('started_at', '<', clock.now() - DAY_MS - CLOSED_AFTER_MS)
    .execute()
  const folded = await reports
    .selectFrom('folded_days')
    .select('started_at')
    .where('state', '=', 'folded')
    .execute()
  const done = new Set(folded.map(row => row.started_at))
  return days
    .map(row => row.day)
    .filter(start => start + DAY_MS + CLOSED_AFTER_MS <= clock.now() && !done.has(start))
    .sort((a, b) => b - a)
}

/** Folds one day; false when it was not finished: a late record came, another node took over, or it was to stop. */
async function foldDay(day: number, options: FoldDaysOptions): Promise<boolean> {
  const { storage, sleep: wait = sleep, shouldStop = () => false } = options
  const { db } = storage
  // Whoever holds the mark may write the day's sums: it is gone when a record comes late or another begins.
  const mark = randomUUID()
  const take = db
    .insertInto('folded_days')
    .values({ started_at: day, state: mark })
    .onConflict(conflict => conflict.column('started_at').doUpdateSet({ state: mark }))
  await storage.commit([{ query: take }])
  await wait(SETTLE_MS)
  const setState = (state: string): Statement => ({
    query: db
      .updateTable('folded_days')
      .set({ state })
      .where('started_at', '=', day)
      .where('state', '=', mark),
    expectRows: 1,
  })
  for await (const rows of readDay(day, storage)) {
    if (shouldStop()) return false
    const outcome = await storage.commit([setState(mark), rows])
    if (outcome.kind !== 'committed') return false
    await wait(PAUSE_MS)
  }
  return (await storage.commit([setState('folded')])).kind === 'committed'
}

/** The statements that write the day's sums, each a few rows. */
async function* readDay(day: number, storage: FoldDaysOptions['storage']): AsyncGenerator<Statement> {
  const { db } = storage
  const accounts = await listAccounts(day, storage)
  const usage = inParts(readAccounts<UsageRow>(accounts, { day, storage, keys: USAGE_KEYS.slice(1) }))
  for await (const rows of usage) {
    const query = db.insertInto('usage_days').values(rows)
    yield { query: query.onConflict(old => old.columns([...USAGE_KEYS]).doUpdateSet(REPLACED)) }
  }
  const sums = inParts(readAccounts<AccountUsageRow>(accounts, { day, storage, keys: ['account_id'] }))
  for await (const rows of sums) {
    const query = db.insertInto('account_days').values(rows)
    yield { query: query.onConflict(old => old.columns(['started_at', 'account_id']).doUpdateSet(REPLACED)) }
  }
  const all = { from: 'service_hours', keys: ['model', 'endpoint', 'provider'], where: sql`1 = 1` } as const
  for await (const rows of inParts(await readSumsOfDay<ServiceUsageRow>(day, storage, all))) {
    const query = db.insertInto('service_days').values(rows.map(row => ({ ...row, shard: 0 })))
    yield { query: query.onConflict(old => old.columns([...SERVICE_KEYS]).doUpdateSet(REPLACED)) }
  }
}

type OfAccounts = {
  readonly day: number
  readonly storage: FoldDaysOptions['storage']
  readonly keys: readonly string[]
}

/** One account after the other: however many there are, none of it is much at a time. */
async function* readAccounts<Row>(
  accounts: readonly string[],
  { day, storage, keys }: OfAccounts,
): AsyncGenerator<Row> {
  for (const account of accounts) {
    yield* await readSumsOfDay<Row>(day, storage, {
      from: 'usage_hours',
      keys,
      where: sql`account_id = ${account}`,
    })
  }
}

async function* inParts<Row>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row[]> {
  let part: Row[] = []
  for await (const row of rows) {
    if (part.push(row) < ROWS_IN_UNIT) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

async function listAccounts(day: number, { reports }: FoldDaysOptions['storage']): Promise<string[]> {
  const rows = await reports
    .selectFrom('usage_hours')
    .select('account_id')
    .distinct()
    .where('started_at', 'in', hoursBetween(day, day + DAY_MS))
    .orderBy('account_id')
    .execute()
  return rows.map(row => row.account_id)
}

type Source = {
  readonly from: 'usage_hours' | 'service_hours'
  readonly keys: readonly string[]
  readonly where: RawBuilder<unknown>
}

async function readSumsOfDay<Row>(
  day: number,
  { reports }: FoldDaysOptions['storage'],
  { from, keys, where }: Source,
): Promise<Row[]> {
  const keyList = sql.join(keys.map(key => sql.ref(key)))
  const sums = SUMS.map(column => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.ref(column)}`)
  const hours = sql.join(hoursBetween(day, day + DAY_MS))
  const query = sql<Omit<Row, 'started_at'>>`select ${keyList}, ${sql.join(sums)} from ${sql.table(from)}
    where started_at in (${hours}) and ${where} group by ${keyList} order by ${keyList}`
  const { rows } = await query.execute(reports)
  // The keys and sums that were selected are all columns of the row but when it starts.
  return rows.map(row => ({ ...row, started_at: day }) as Row)
}
