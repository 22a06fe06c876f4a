import type { Kysely } from 'kysely'

/** Several credentials of one provider, and which endpoints its server has itself. */
export function providerCredentials() {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema.alterTable('providers').addColumn('further_credentials_ciphertext', 'text').execute()
      await db.schema.alterTable('providers').addColumn('endpoints_json', 'text').execute()
    },
  }
}
