/** Postgres goes away and comes back, under load: nobody waits long, nothing goes unrecorded, nothing twice. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectBooksToAddUp } from '#test/support/books.ts'
import { COMPILE_CACHE } from '#test/support/compile-cache.ts'
import { eventually } from '#test/support/eventually.ts'
import { type PostgresServer, startPostgresServer } from '#test/support/postgres-server.ts'
import { SAME_NAME_MODEL, type SpawnedService, startSpawnedService } from '#test/support/spawned-service.ts'
import { answerWell } from '#test/support/upstream.ts'

const CLIENTS = 16
/** Less than two seconds until it is known that the server is away, and room for a slow machine. */
const LONGEST_WAIT_MS = 5_000
const VERIFY = fileURLToPath(new URL('../../server/cli/verify-ledger.ts', import.meta.url))

let postgres: PostgresServer
let service: SpawnedService

beforeEach(async () => {
  answers = []
  postgres = await startPostgresServer()
  service = await startSpawnedService({ postgres: postgres.url })
}, 60_000)
afterEach(async () => {
  await service.close()
  await postgres.stop()
})

/** Every answer that was read in the test. */
let answers: Answer[]

type Answer = { readonly status: number; readonly id: string; readonly ms: number; readonly text: string }

async function ask(path = '/v1/chat/completions'): Promise<Answer> {
  const startedMs = performance.now()
  const response = await fetch(`${service.gateway().url}${path}`, {
    method: path.endsWith('quota') ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${service.caller.token}`, 'content-type': 'application/json' },
    ...(path.endsWith('quota')
      ? {}
      : { body: JSON.stringify({ model: SAME_NAME_MODEL, messages: [{ role: 'user', content: 'Hi' }] }) }),
  })
  const text = await response.text()
  const ms = performance.now() - startedMs
  const answer = { status: response.status, id: response.headers.get('x-request-id') ?? '', ms, text }
  if (!path.endsWith('quota')) answers.push(answer)
  return answer
}

const ready = async () => (await fetch(`${service.gateway().url}/health/ready`)).status

async function untilServed(): Promise<void> {
  await eventually(async () => expect((await ask()).status).toBe(200), 30_000)
  await eventually(async () => expect(await ready()).toBe(200), 5_000)
}

/** Clients that ask again and again, one request after the other, until they are told to stop. */
function startLoad(): () => Promise<unknown> {
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) if ((await ask()).status !== 200) await sleep(20)
  })
  return () => {
    isOver = true
    return Promise.all(clients)
  }
}

/** Whoever got an answer was charged for it once, and nobody else was. */
async function expectExactlyOnce(): Promise<void> {
  const books = await service.books()
  expectBooksToAddUp(books)
  const charges = books.entries.flatMap(entry => (entry.kind === 'charge' ? [entry.request_id] : []))
  const whole = answers.filter(({ status }) => status === 200).map(({ id }) => id)
  expect(charges.sort()).toEqual(whole.sort())
  expect(await verifyLedger()).toContain('The ledger adds up')
}

async function verifyLedger(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [VERIFY], {
    env: { PATH: process.env.PATH ?? '', ...service.env, ...COMPILE_CACHE },
  })
  return stdout
}

test.each([
  {
    what: 'stopped where it stands, and goes on',
    goAway: () => postgres.pause(),
    comeBack: () => postgres.resume(),
  },
  { what: 'killed, and started again', goAway: () => postgres.kill(), comeBack: () => postgres.restart() },
])(
  'a server that is $what',
  async ({ goAway, comeBack }) => {
    service.upstream.respond(async (request, response) => {
      await sleep(20)
      answerWell(request, response)
    })
    const stop = startLoad()
    await sleep(1_000)
    await goAway()
    await eventually(async () => expect((await ask()).status).toBe(503), 5_000)
    expect(await ready()).toBe(503)
    expect(await (await fetch(`${service.gateway().url}/health`)).json()).toMatchObject({
      status: 'degraded',
    })
    expect(await ask('/v1/quota')).toMatchObject({ status: 503 })
    await sleep(2_000)
    await comeBack()
    await untilServed()
    await sleep(1_000)
    await stop()

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(LONGEST_WAIT_MS)
    for (const { status, text } of answers) {
      if (status === 503) expect(JSON.parse(text).error.type).toBe('service_unavailable')
    }
    await expectExactlyOnce()
  },
  90_000,
)

/** Requests that are with the upstream, and what has it answer them. */
async function askAndHold(count: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  service.upstream.respond(async (request, response) => {
    await released
    answerWell(request, response)
  })
  const before = service.upstream.requests.length
  const asked = Array.from({ length: count }, () => ask())
  await eventually(() => expect(service.upstream.requests).toHaveLength(before + count))
  return { asked, release }
}

test('what was in flight is answered while the server is away, and is on the ledger after a kill of the node', async () => {
  const { asked, release } = await askAndHold(CLIENTS)
  await postgres.kill()
  release()
  const held = await Promise.all(asked)
  expect(held.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(200))
  expect(Math.max(...held.map(({ ms }) => ms))).toBeLessThan(LONGEST_WAIT_MS)
  expect((await ask()).status).toBe(503)
  await service.gateway().end('SIGKILL')

  await postgres.restart()
  expect(await verifyLedger()).toMatch(new RegExp(`${CLIENTS} of .* wait`))
  await service.startAgain()
  await untilServed()
  await expectExactlyOnce()
}, 90_000)

test('a node that is told to end while the server is away leaves what waits to its next start', async () => {
  const { asked, release } = await askAndHold(4)
  await postgres.pause()
  const ended = service.gateway().end('SIGTERM')
  release()
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await ended).toBe(0)
  await postgres.resume()
  await service.startAgain()
  await untilServed()
  await expectExactlyOnce()
}, 90_000)

test('a grant is never deferred: it is made, or it is refused', async () => {
  await postgres.kill()
  const grant = service.admin.call('POST', `/admin/accounts/${service.caller.accountId}/credits`, {
    amount: 5,
    kind: 'grant',
    note: 'while it is away',
  })
  await expect(grant).rejects.toThrow('503')
  await postgres.restart()
  await untilServed()
  const { entries } = await service.books()
  expect(entries.filter(({ kind }) => kind === 'grant')).toHaveLength(1)
}, 60_000)
