import type { Kysely } from 'kysely'
import type { Tables } from '#storage/tables.ts'

/** Since when every single record is still there, in milliseconds since the epoch; 0 when none was ever deleted. */
export async function findRetentionMark(db: Kysely<Tables>): Promise<number> {
  const mark = await db
    .selectFrom('retention_marks')
    .select('deleted_before')
    .where('id', '=', 'requests')
    .executeTakeFirst()
  return mark?.deleted_before ?? 0
}
