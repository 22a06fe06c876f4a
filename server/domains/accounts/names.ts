import type { Storage } from '#storage/storage.ts'

/** An account or a user as others name it. */
export type Named = { readonly id: string; readonly name: string }

/** A user with the account that they belong to. */
export type Member = { readonly user: Named; readonly account: Named }

/** What accounts and users are called, for lists of what is theirs: one look-up a page. */
export type Names = {
  ofAccounts(ids: readonly string[]): Promise<(id: string) => Named>
  ofUsers(ids: readonly string[]): Promise<(id: string) => Member>
}

/** Ids of rows that are not there have an empty name. */
export function createNames({ db }: Pick<Storage, 'db'>): Names {
  return {
    ofAccounts: async ids => {
      const query = db
        .selectFrom('accounts')
        .select(['id', 'name'])
        .where('id', 'in', [...new Set(ids)])
      const rows = ids.length === 0 ? [] : await query.execute()
      const names = new Map(rows.map(({ id, name }) => [id, name]))
      return id => ({ id, name: names.get(id) ?? '' })
    },
    ofUsers: async ids => {
      const query = db
        .selectFrom('users')
        .innerJoin('accounts', 'accounts.id', 'users.account_id')
        .select(['users.id', 'users.name', 'users.account_id', 'accounts.name as account_name'])
        .where('users.id', 'in', [...new Set(ids)])
      const rows = ids.length === 0 ? [] : await query.execute()
      const members = new Map(rows.map(row => [row.id, row]))
      return id => {
        const row = members.get(id)
        return {
          user: { id, name: row?.name ?? '' },
          account: { id: row?.account_id ?? '', name: row?.account_name ?? '' },
        }
      }
    },
  }
}
