import type { DatabaseError, Pool } from 'pg'
import type { TextResult } from './read-rows.ts'

const COLUMNS_OF_INDEX = `
  select attribute.attname
  from pg_index
  join pg_class on pg_class.oid = pg_index.indexrelid
  join pg_namespace on pg_namespace.oid = pg_class.relnamespace
  cross join unnest(pg_index.indkey) with ordinality as part (number, place)
  join pg_attribute as attribute on attribute.attrelid = pg_index.indrelid and attribute.attnum = part.number
  where pg_class.relname = $1 and pg_namespace.nspname = $2
  order by part.place`

/** Names uniqueness rules by their columns, such as `users.email`, as the other engine does. */
export class ConstraintNames {
  readonly #pool: Pool
  readonly #known = new Map<string, string>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** The columns of the rule that was hit. */
  async get({ constraint = '', table = '', schema = '' }: DatabaseError): Promise<string> {
    const known = this.#known.get(constraint)
    if (known !== undefined) return known
    const { rows }: TextResult = await this.#pool.query({
      text: COLUMNS_OF_INDEX,
      values: [constraint, schema],
      rowMode: 'array',
    })
    const name = rows.map(([column]) => `${table}.${column}`).join(', ')
    this.#known.set(constraint, name)
    return name
  }
}
