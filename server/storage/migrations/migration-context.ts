/** What a migration may know beside the database: the few rules that have no common SQL differ by engine. */
export type MigrationContext = { readonly engine: 'sqlite' | 'postgres' }
