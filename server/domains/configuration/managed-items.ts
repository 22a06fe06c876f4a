import type { Statement, Storage } from '#storage/storage.ts'
import type { ManagedItemRow, ManagedKind } from '#storage/tables.ts'

/** What the configuration file manages: nobody else may change it. */
export type ManagedItems = {
  list(): Promise<ManagedItemRow[]>
  isManaged(kind: ManagedKind, itemId: string): Promise<boolean>
  put(item: ManagedItemRow): Promise<void>
  remove(kind: ManagedKind, name: string): Promise<void>
}

export function createManagedItems({ storage }: { readonly storage: Storage }): ManagedItems {
  const { db } = storage
  const commit = async (statement: Statement): Promise<void> => {
    await storage.commit([statement])
  }
  return {
    list: async () =>
      await db.selectFrom('managed_items').selectAll().orderBy('kind').orderBy('name').execute(),
    isManaged: async (kind, itemId) => {
      const row = await db
        .selectFrom('managed_items')
        .select('name')
        .where('kind', '=', kind)
        .where('item_id', '=', itemId)
        .executeTakeFirst()
      return row !== undefined
    },
    put: item =>
      commit({
        query: db
          .insertInto('managed_items')
          .values(item)
          .onConflict(conflict =>
            conflict
              .columns(['kind', 'name'])
              .doUpdateSet({ item_id: item.item_id, fingerprint: item.fingerprint }),
          ),
      }),
    remove: (kind, name) =>
      commit({ query: db.deleteFrom('managed_items').where('kind', '=', kind).where('name', '=', name) }),
  }
}
