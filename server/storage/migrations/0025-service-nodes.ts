import type { Kysely } from 'kysely'

/** The nodes that serve, each with how it was when it was heard of last. */
export function serviceNodes() {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema
        .createTable('service_nodes')
        .addColumn('id', 'text', c => c.primaryKey())
        .addColumn('name', 'text', c => c.notNull())
        .addColumn('address', 'text')
        .addColumn('version', 'text', c => c.notNull())
        .addColumn('state', 'text', c => c.notNull())
        .addColumn('in_flight', 'bigint', c => c.notNull())
        .addColumn('redis', 'text')
        .addColumn('memory_bytes', 'bigint', c => c.notNull())
        .addColumn('busy_percent', 'bigint', c => c.notNull())
        .addColumn('started_at', 'bigint', c => c.notNull())
        .addColumn('last_seen_at', 'bigint', c => c.notNull())
        .execute()
    },
  }
}
