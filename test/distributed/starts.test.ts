/** Nodes that start together, that are killed on the way, and that meet a schema they do not know. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { type Launched, launch, listeningPort } from '#test/support/launch.ts'
import { makePostgresDatabase, query, type TestDatabase } from '#test/support/postgres-server.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

let database: TestDatabase
let folders: Awaited<ReturnType<typeof makeTemporaryFolder>>[]
let nodes: Launched[]

beforeEach(async () => {
  database = await makePostgresDatabase()
  folders = []
  nodes = []
})
afterEach(async () => {
  for (const { child } of nodes) child.kill('SIGKILL')
  await Promise.all(nodes.map(({ exited }) => exited))
  await Promise.all(folders.map(folder => folder.remove()))
  await database.drop()
})

async function startNode(env: Record<string, string> = {}): Promise<Launched> {
  const folder = await makeTemporaryFolder()
  folders.push(folder)
  const node = launch({
    env: {
      DATABASE_URL: database.url,
      GOLDWEIGHT_SECRET: 'the same on every node',
      GOLDWEIGHT_DATA_DIR: folder.path,
      ...env,
    },
  })
  nodes.push(node)
  return node
}

const urlOf = (node: Launched) => `http://127.0.0.1:${listeningPort(node)}`

async function untilReady(node: Launched): Promise<void> {
  await eventually(() => expect(listeningPort(node), node.stderr()).not.toBeNull(), 30_000)
  await eventually(async () => expect((await fetch(`${urlOf(node)}/health/ready`)).status).toBe(200), 10_000)
}

async function count(table: string): Promise<number> {
  const [row] = await query(database.url, `select count(*)::int as rows from ${table}`)
  return Number(row?.rows)
}

test('of nodes that start together on an empty database one sets it up, and says what it has made', async () => {
  const started = await Promise.all([startNode(), startNode(), startNode()])
  await Promise.all(started.map(untilReady))
  const greetings = started.filter(node => node.stdout().includes('Goldweight is set up'))
  expect(greetings).toHaveLength(1)
  for (const table of ['administrators', 'providers', 'models', 'accounts', 'users', 'api_keys']) {
    expect({ table, rows: await count(table) }).toEqual({ table, rows: 1 })
  }
  const token = /gw_[A-Za-z0-9]+/.exec(greetings[0]?.stdout() ?? '')?.[0]
  for (const node of started) {
    const quota = await fetch(`${urlOf(node)}/v1/quota`, { headers: { authorization: `Bearer ${token}` } })
    expect(await quota.json()).toMatchObject({ remaining: 1_000 })
  }
}, 60_000)

const CONFIGURATION = `
settings: { sign_up: closed }
providers: [{ name: Main, kind: openai, base_url: 'http://127.0.0.1:9/v1' }]
models:
  - id: main/chat
    weights: { input: 1, cache_read: 1, cache_write: 1, output: 1 }
    routes: [{ provider: Main, upstream_model: chat }]
packages: [{ name: Small, credits: 100, price: { amount: 500, currency: EUR } }]
`

test('nodes that start together with one configuration file apply it once, and all serve', async () => {
  const folder = await makeTemporaryFolder()
  folders.push(folder)
  const path = join(folder.path, 'goldweight.yaml')
  await writeFile(path, CONFIGURATION)
  const env = { GOLDWEIGHT_CONFIG_FILE: path, GOLDWEIGHT_DEMO: 'off' }
  const started = await Promise.all([startNode(env), startNode(env), startNode(env)])
  await Promise.all(started.map(untilReady))
  for (const table of ['providers', 'models', 'packages']) {
    expect({ table, rows: await count(table) }).toEqual({ table, rows: 1 })
  }
}, 60_000)

test('a start that is killed on the way leaves a database that the next one can use', async () => {
  for (const afterMs of [350, 450, 550, 700]) {
    const node = await startNode()
    await sleep(afterMs)
    node.child.kill('SIGKILL')
    await node.exited
  }
  await untilReady(await startNode())
  expect(await count('administrators')).toBe(1)
}, 60_000)

const FUTURE = "insert into kysely_migration values ('9999-of-a-newer-version', now()::text)"

test('a node does not start on a schema that is newer than itself', async () => {
  const first = await startNode()
  await untilReady(first)
  first.child.kill('SIGTERM')
  await first.exited
  await query(database.url, FUTURE)
  const node = await startNode()
  expect(await node.exited).toBe(1)
  expect(node.stderr().trimEnd().split('\n')).toEqual([
    expect.stringMatching(/Unknown database schema.*9999/),
  ])
  expect(node.stdout()).toBe('')
}, 60_000)

test('a node that runs serves no more once a newer version has changed the schema', async () => {
  const node = await startNode()
  await untilReady(node)
  const token = /gw_[A-Za-z0-9]+/.exec(node.stdout())?.[0]
  const quota = () => fetch(`${urlOf(node)}/v1/quota`, { headers: { authorization: `Bearer ${token}` } })
  expect((await quota()).status).toBe(200)
  await query(database.url, FUTURE)
  await eventually(async () => {
    expect((await fetch(`${urlOf(node)}/health/ready`)).status).toBe(503)
    expect((await quota()).status).toBe(503)
  }, 5_000)
  await eventually(() => expect(node.stdout()).toContain('9999-of-a-newer-version'))
  node.child.kill('SIGTERM')
  expect(await node.exited).toBe(0)
}, 60_000)

test('what stops the start is said in one line, which never shows the password', async () => {
  const wrong: Record<string, string>[] = [
    { DATABASE_URL: 'postgres://ada:hunter22hunter22@127.0.0.1:1/goldweight' },
    { DATABASE_URL: `${database.url}_not_there`.replace('goldweight@', 'goldweight:hunter22hunter22@') },
    { GOLDWEIGHT_SECRET: '' },
  ]
  for (const env of wrong) {
    const node = await startNode(env)
    expect(await node.exited).toBe(1)
    expect(node.stderr().trimEnd().split('\n')).toEqual([
      expect.stringMatching(/DATABASE_URL|GOLDWEIGHT_SECRET/),
    ])
    expect(node.stderr() + node.stdout()).not.toContain('hunter22')
  }
}, 60_000)
