/** Two nodes over one database: their postings meet on the same accounts, and the books stay those of one service. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { newId } from '#lib/id.ts'
import { openPostgresStorage } from '#storage/postgres/postgres-storage.ts'
import type { PostingOutcome, Storage } from '#storage/storage.ts'
import { charge, entryOf, insertAccount } from '#test/storage/rows.ts'
import { makePostgresDatabase, type TestDatabase } from '#test/support/postgres-server.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

let database: TestDatabase
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let nodes: Storage[]

const openNode = () =>
  openPostgresStorage({ url: database.url, deferredFolder: folder.path, report: () => {} })

beforeEach(async () => {
  database = await makePostgresDatabase()
  folder = await makeTemporaryFolder()
  nodes = await Promise.all([openNode(), openNode()])
})
afterEach(async () => {
  await Promise.all(nodes.map(node => node.close()))
  await database.drop()
  await folder.remove()
})

const [one, other] = [() => nodes[0] as Storage, () => nodes[1] as Storage] // both are opened before each test

function kindsOf(outcomes: readonly PostingOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

test('charges of both on the same hot accounts, in any order, all get through and add up', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => insertAccount(one())))
  const postings: Promise<PostingOutcome>[] = []
  for (let i = 0; i < 1_500; i++) {
    for (const node of nodes) {
      const account = accounts[Math.floor(Math.random() * accounts.length)] ?? ''
      postings.push(charge(node, account, 1))
      if (i % 50 === 0) {
        postings.push(node.post({ accountId: account, request: null, entry: entryOf('grant', 7n) }))
      }
    }
    if (i % 20 === 0) await new Promise(resolve => setImmediate(resolve))
  }
  expect(kindsOf(await Promise.all(postings))).toEqual({ posted: 3_060 })
  expect(await one().snapshot(verifyLedger)).toMatchObject({
    ok: true,
    value: { charges: 3_000, entries: 3_060, usedMicros: 3_000n, allocatedMicros: 420n },
  })
}, 60_000)

test('a request that both post at once is posted once', async () => {
  const account = await insertAccount(one())
  const requests = Array.from({ length: 200 }, () => newId('req'))
  const outcomes = await Promise.all(
    requests.flatMap(request => nodes.map(node => charge(node, account, 3, request))),
  )
  expect(kindsOf(outcomes)).toEqual({ posted: 200, 'already-posted': 200 })
  expect(await other().snapshot(verifyLedger)).toMatchObject({ ok: true, value: { usedMicros: 600n } })
})

test('of units that both commit under the same condition one goes through', async () => {
  const { db } = one()
  const claim = (name: string) => ({
    query: db
      .insertInto('settings')
      .columns(['name', 'value_json'])
      .expression(
        db
          .selectNoFrom(eb => [eb.val(name).as('name'), eb.val('1').as('value_json')])
          .where(eb => eb.not(eb.exists(db.selectFrom('settings').select('name')))),
      ),
    expectRows: 1,
  })
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one() : other()).commit([claim(`n${index}`)]),
    ),
  )
  expect(outcomes.filter(({ kind }) => kind === 'committed')).toHaveLength(1)
  expect(outcomes.filter(({ kind }) => kind === 'unmet')).toHaveLength(19)
})

test('a uniqueness rule is named by its columns', async () => {
  const insert = { query: one().db.insertInto('settings').values({ name: 'a', value_json: '1' }) }
  await one().commit([insert])
  expect(await other().commit([insert])).toEqual({ kind: 'duplicate', constraint: 'settings.name' })
})
