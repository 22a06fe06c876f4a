/** Proves that the sums of usage are those of the records, for as long as the records are kept. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { RollUp, type RollUpRow } from '#storage/roll-ups/roll-up.ts'
import { COUNT_COLUMNS, DAY_MS, HOUR_MS, type UsageRow } from '#storage/roll-ups/usage-tables.ts'
import type { RequestRow, Tables } from '#storage/tables.ts'
import { findRetentionMark } from './retention-mark.ts'

/** The first thing that does not add up, in one sentence. */
type Discrepancy = string

/** Takes every record in the order of its identifier, and compares each hour with its roll-ups when it is complete. */
export class RollUpProof {
  readonly #db: Kysely<Tables>
  /** Records before it may be gone, so their hours can't be proved from them any more. */
  readonly #deletedBefore: number
  /** The hours that have roll-ups and no records yet. */
  readonly #hours: Set<number>
  #current: { readonly hour: number; readonly rollUp: RollUp } | null = null

  private constructor(db: Kysely<Tables>, deletedBefore: number, hours: Set<number>) {
    this.#db = db
    this.#deletedBefore = deletedBefore
    this.#hours = hours
  }

  static async begin(db: Kysely<Tables>): Promise<RollUpProof> {
    const deletedBefore = await findRetentionMark(db)
    const hours = await db
      .selectFrom('usage_hours')
      .select('started_at')
      .distinct()
      .where('started_at', '>=', deletedBefore)
      .execute()
    return new RollUpProof(db, deletedBefore, new Set(hours.map(row => row.started_at)))
  }

  async add(request: RequestRow): Promise<Discrepancy | null> {
    const hour = request.created_at - (request.created_at % HOUR_MS)
    if (hour < this.#deletedBefore) return null
    if (this.#current && hour < this.#current.hour) return 'its identifier is out of the order of time'
    const problem = this.#current && hour > this.#current.hour ? await this.#compare() : null
    this.#current ??= { hour, rollUp: new RollUp(0) }
    this.#current.rollUp.add(request)
    return problem && `before it, ${problem}`
  }

  async finish(): Promise<Discrepancy | null> {
    const problem = await this.#compare()
    if (problem !== null) return problem
    const [hour] = this.#hours
    return hour === undefined ? null : `the roll-ups of ${hourText(hour)} have no records`
  }

  async #compare(): Promise<Discrepancy | null> {
    if (this.#current === null) return null
    const { hour, rollUp } = this.#current
    this.#current = null
    this.#hours.delete(hour)
    const rows = await this.#db.selectFrom('usage_hours').selectAll().where('started_at', '=', hour).execute()
    const kept = new Map(rows.map(row => [nameOf(row), row]))
    for (const due of rollUp.rowsOf('usage_hours')) {
      const name = due.keys.join(' ')
      const row = kept.get(name)
      if (!row || !isSame(row, due))
        return `the roll-up of ${hourText(hour)} (${name}) is not the sum of its records`
      kept.delete(name)
    }
    const [left] = kept.keys()
    return left === undefined ? null : `the roll-up of ${hourText(hour)} (${left}) has no records`
  }
}

function nameOf(row: UsageRow): string {
  return [row.started_at, row.account_id, row.key_id, row.model, row.endpoint, row.provider].join(' ')
}

function isSame(row: UsageRow, due: RollUpRow): boolean {
  return (
    row.charge_micros === due.chargeMicros &&
    COUNT_COLUMNS.every((column, index) => row[column] === due.counts[index])
  )
}

function hourText(hour: number): string {
  return `the hour from ${new Date(hour).toISOString()}`
}

/** Proves the roll-ups that are made of other roll-ups: those over all accounts, and those of whole days. */
export async function verifyDerivedRollUps(db: Kysely<Tables>): Promise<Discrepancy | null> {
  for (const day of await readDays(db)) {
    const text = `of ${new Date(day).toISOString().slice(0, 10)}`
    if (await differ(db, day, ['service_hours', 'usage_hours'], ['started_at', ...SERVICE])) {
      return `The roll-ups over all accounts ${text} are not the sums of those of each`
    }
    if (!(await isFolded(db, day))) continue
    if (
      (await differ(db, day, ['usage_days', 'usage_hours'], ['account_id', 'key_id', ...SERVICE])) ||
      (await differ(db, day, ['account_days', 'usage_hours'], ['account_id'])) ||
      (await differ(db, day, ['service_days', 'service_hours'], SERVICE))
    ) {
      return `The roll-ups of the day ${text} are not the sums of its hours`
    }
  }
  return null
}

const SERVICE = ['model', 'endpoint', 'provider']

async function readDays(db: Kysely<Tables>): Promise<number[]> {
  const days = new Set<number>()
  for (const table of ['usage_hours', 'service_hours'] as const) {
    const hours = await db.selectFrom(table).select('started_at').distinct().execute()
    for (const { started_at } of hours) days.add(started_at - (started_at % DAY_MS))
  }
  const folded = await db.selectFrom('folded_days').select('started_at').execute()
  for (const { started_at } of folded) days.add(started_at)
  return [...days].sort((a, b) => a - b)
}

async function isFolded(db: Kysely<Tables>, day: number): Promise<boolean> {
  const row = await db
    .selectFrom('folded_days')
    .select('state')
    .where('started_at', '=', day)
    .executeTakeFirst()
  return row?.state === 'folded'
}

/** Whether the sums of two tables over the rows of one day differ for any value of the keys. */
async function differ(
  db: Kysely<Tables>,
  day: number,
  [one, other]: readonly [string, string],
  keys: readonly string[],
): Promise<boolean> {
  const columns = [...COUNT_COLUMNS, 'charge_micros']
  const sums = columns.map(column => sql.ref(column))
  const keyList = sql.join(keys.map(key => sql.ref(key)))
  const rowsOf = (table: string, values: readonly RawBuilder<unknown>[]) =>
    sql`select ${keyList}, ${sql.join(values)} from ${sql.table(table)}
      where started_at >= ${day} and started_at < ${day + DAY_MS}`
  const negated = columns.map(column => sql`-${sql.ref(column)} as ${sql.ref(column)}`)
  const { rows } = await sql`select ${keyList} from (
      ${rowsOf(one, sums)} union all ${rowsOf(other, negated)}
    ) as difference group by ${keyList}
    having ${sql.join(
      sums.map(sum => sql`sum(${sum}) <> 0`),
      sql` or `,
    )} limit 1`.execute(db)
  return rows.length > 0
}
