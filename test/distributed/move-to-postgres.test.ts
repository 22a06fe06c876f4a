/** An operator who outgrows one process takes everything along: keys, sessions, balances, every entry of the ledger. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askChat } from '#test/support/ask-chat.ts'
import { COMPILE_CACHE } from '#test/support/compile-cache.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Launched, launch, listeningPort } from '#test/support/launch.ts'
import { makePostgresDatabase, query, type TestDatabase } from '#test/support/postgres-server.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

const COMMANDS = fileURLToPath(new URL('../../server/cli/', import.meta.url))

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let database: TestDatabase
let service: Launched
let cookie: string
let token: string

async function start(env: Record<string, string> = {}): Promise<string> {
  service = launch({ env: { GOLDWEIGHT_DATA_DIR: folder.path, ...env } })
  await eventually(() => expect(listeningPort(service), service.stderr()).not.toBeNull(), 30_000)
  return `http://127.0.0.1:${listeningPort(service)}`
}

async function end(): Promise<void> {
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
}

async function run(command: string, env: Record<string, string> = {}) {
  return promisify(execFile)(process.execPath, [join(COMMANDS, command)], {
    env: { PATH: process.env.PATH ?? '', GOLDWEIGHT_DATA_DIR: folder.path, ...COMPILE_CACHE, ...env },
  })
}

const secret = async () => (await readFile(join(folder.path, 'secret'), 'utf8')).trim()
const target = async () => ({ DATABASE_URL: database.url, GOLDWEIGHT_SECRET: await secret() })

/** What the service says of itself to whoever could sign in, and could call, before. */
async function everything(base: string) {
  const read = async (path: string) => (await fetch(`${base}${path}`, { headers: { cookie } })).json()
  const paths = [
    'me',
    'accounts',
    'users',
    'keys',
    'providers',
    'models',
    'packages',
    'settings',
    'audit',
    'requests',
  ]
  const answers = await Promise.all(paths.map(async path => [path, await read(`/admin/${path}`)]))
  const quota = await fetch(`${base}/v1/quota`, { headers: { authorization: `Bearer ${token}` } })
  return { ...Object.fromEntries(answers), quota: await quota.json() }
}

async function chat(base: string): Promise<void> {
  expect((await askChat({ url: base, token, model: 'demo/echo', content: 'Hello!' })).status).toBe(200)
}

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  database = await makePostgresDatabase()
  const base = await start()
  await eventually(() => expect(service.stdout()).toContain('listening'))
  token = /gw_[A-Za-z0-9]+/.exec(service.stdout())?.[0] ?? ''
  const [, email, password] = /e-mail +(\S+)\s+password +(\S+)/.exec(service.stdout()) ?? []
  const signedIn = await fetch(`${base}/admin/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  for (let i = 0; i < 20; i++) await chat(base)
}, 60_000)
afterAll(async () => {
  service.child.kill('SIGKILL')
  await service.exited
  await database.drop()
  await folder.remove()
})

test('it does not touch a database that a service runs on', async () => {
  await expect(run('move-to-postgres.ts', await target())).rejects.toThrow(/is a service running/)
})

test('it moves everything, proves it, and nobody notices but by the address of the database', async () => {
  const before = await everything(`http://127.0.0.1:${listeningPort(service)}`)
  expect(before).toMatchObject({
    me: { administrator: { email: expect.any(String) } },
    quota: { remaining: expect.any(Number) },
  })
  await end()

  const other = { ...(await target()), GOLDWEIGHT_SECRET: 'not the one that it was' }
  await expect(run('move-to-postgres.ts', other)).rejects.toThrow(/GOLDWEIGHT_SECRET/)
  expect((await run('move-to-postgres.ts', await target())).stdout).toContain('The ledger adds up')

  const base = await start(await target())
  const after = await everything(base)
  // When a key was last used is noted every few seconds.
  const withoutUse = (answers: object) =>
    JSON.parse(JSON.stringify(answers), (name, value) => (name === 'last_used_at' ? null : value))
  expect(withoutUse(after)).toEqual(withoutUse(before))
  await chat(base)
  await end()
  expect((await run('verify-ledger.ts', await target())).stdout).toMatch(/of them charges +21/)
}, 60_000)

test('it refuses a database that is not empty, and leaves it as it was', async () => {
  await expect(run('move-to-postgres.ts', await target())).rejects.toThrow(/not empty/)
  expect((await run('verify-ledger.ts', await target())).stdout).toMatch(/of them charges +21/)
})

test('books that do not add up are not moved, nor half of anything', async () => {
  const empty = await makePostgresDatabase()
  const file = new DatabaseSync(join(folder.path, 'goldweight.db'))
  file.exec('update accounts set used_micros = used_micros + 1')
  file.close()
  const moved = run('move-to-postgres.ts', { ...(await target()), DATABASE_URL: empty.url })
  await expect(moved).rejects.toThrow(/does not add up, and nothing was moved/)
  expect(await query(empty.url, "select tablename from pg_tables where schemaname = 'public'")).toEqual([])
  await empty.drop()
})
