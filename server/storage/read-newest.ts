import { type SelectQueryBuilder, sql } from 'kysely'
import { type Page, type PageRequest, takePage } from '#lib/page.ts'

/**
 * A page of the rows that a query finds, newest first: identifiers sort as time does. `idColumn` is where theirs stands,
 * to be named with its table where the query joins others.
 */
export async function readNewest<Tables, Table extends keyof Tables, Row extends { readonly id: string }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, after }: PageRequest,
  idColumn = 'id',
): Promise<Page<Row>> {
  const id = sql.ref<string>(idColumn)
  const rest = after === null ? query : query.where(id, '<', after)
  const rows = await rest
    .orderBy(id, 'desc')
    .limit(limit + 1)
    .execute()
  return takePage(rows, limit, row => row.id)
}
