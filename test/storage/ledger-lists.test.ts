import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LedgerFilter, listEntries } from '#domains/accounts/list-entries.ts'
import type { LedgerEntryRow } from '#storage/tables.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'
import { entryOf, insertAccount } from './rows.ts'

const START = 1_795_046_400_000
const MINUTE = 60_000

describe.each(ENGINES)('lists of ledger entries on $name', ({ open }) => {
  let opened: OpenedStorage
  let accountId: string
  let entries: LedgerEntryRow[]

  beforeAll(async () => {
    opened = await open()
    const { storage } = opened
    accountId = await insertAccount(storage)
    await storage.post({
      accountId: await insertAccount(storage),
      request: null,
      entry: entryOf('grant', 1n),
    })
    const kinds = ['charge', 'charge', 'purchase', 'charge', 'grant', 'refund'] as const
    for (let index = 0; index < 60; index++) {
      const kind = kinds[index % kinds.length] ?? 'charge'
      // Clocks of two nodes differ by half a minute.
      const created_at = START + index * MINUTE + (index % 2) * 30_000 - (index % 7 === 0 ? 40_000 : 0)
      const entry = { ...entryOf(kind, kind === 'charge' ? -5n : 9n), created_at }
      await storage.post({ accountId, request: null, entry })
    }
    entries = await storage.db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('sequence', 'desc')
      .execute()
  })
  afterAll(() => opened.close())

  async function listAll(filter: LedgerFilter, limit = 7): Promise<string[]> {
    const ids: string[] = []
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof listEntries>> = await listEntries(
        opened.storage,
        { accountId, filter },
        { limit, after },
      )
      ids.push(...page.items.map(({ id }) => id))
      if (page.next === null) return ids
      after = page.next
    }
  }
  const idsOf = (fits: (row: LedgerEntryRow) => boolean) => entries.filter(fits).map(({ id }) => id)

  test('hold all entries of the account alone, newest first', async () => {
    expect(await listAll({})).toEqual(idsOf(() => true))
  })

  test('hold those of one kind or of several', async () => {
    expect(await listAll({ kind: ['charge'] })).toEqual(idsOf(row => row.kind === 'charge'))
    expect(await listAll({ kind: ['purchase', 'grant'] })).toEqual(
      idsOf(row => row.kind === 'purchase' || row.kind === 'grant'),
    )
    expect(await listAll({ kind: ['adjustment'] })).toEqual([])
  })

  test('of what is no charge are read without a look at the charges, of which there may be millions', async () => {
    // Which way Postgres goes depends on how many rows there are.
    if (opened.storage.engine !== 'sqlite') return
    const { db } = opened.storage
    const queries: CompiledQuery[] = []
    const overhear: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        queries.push(db.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const filter: LedgerFilter = { kind: ['purchase', 'grant'] }
    await listEntries({ db: db.withPlugin(overhear) }, { accountId, filter }, { limit: 7, after: null })
    expect(queries).not.toEqual([])
    // The whole comes after its parts.
    for (const { sql, parameters } of queries.slice(-1)) {
      const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
      const { rows } = await db.executeQuery<{ detail: string }>(explained)
      expect(rows.map(({ detail }) => detail).join()).toContain(
        'COVERING INDEX ledger_entries_beside_charges',
      )
    }
  })

  test('hold those of a span of time, though clocks differ', async () => {
    const from = START + 10 * MINUTE
    const to = START + 31 * MINUTE
    const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    const within = (row: LedgerEntryRow) => row.created_at >= from && row.created_at < to
    expect(await listAll(span)).toEqual(idsOf(within))
    expect(await listAll({ ...span, kind: ['charge'] })).toEqual(
      idsOf(row => within(row) && row.kind === 'charge'),
    )
    expect(await listAll({ from: '1999-01-01' })).toEqual(idsOf(() => true))
    expect(await listAll({ to: '1999-01-01' })).toEqual([])
    expect(await listAll({ from: '2099-01-01' })).toEqual([])
  })
})
