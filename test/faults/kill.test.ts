/** The process may be killed at any moment: whatever answer a client holds whole is on the ledger, once. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askChat } from '#test/support/ask-chat.ts'
import { expectBooksToAddUp } from '#test/support/books.ts'
import { COMPILE_CACHE } from '#test/support/compile-cache.ts'
import { SAME_NAME_MODEL, type SpawnedService, startSpawnedService } from '#test/support/spawned-service.ts'
import { answerWell, beginSse, chatStream, event } from '#test/support/upstream.ts'

const CLIENTS = 32
const KILLS = 5
const VERIFY = fileURLToPath(new URL('../../server/cli/verify-ledger.ts', import.meta.url))

let service: SpawnedService

beforeAll(async () => {
  service = await startSpawnedService()
  service.upstream.respond(async (request, response) => {
    await sleep(Math.random() * 15)
    if (request.body.stream !== true) return answerWell(request, response)
    beginSse(response)
    for (const data of chatStream(['Hello', ' there', '!'])) {
      await sleep(Math.random() * 4)
      response.write(event(data))
    }
    response.end()
  })
})
afterAll(() => service.close())

/** Asks with a key until there is an answer, of whichever process; gives it with its request's id. */
async function askWithKey(key: string): Promise<string> {
  for (;;) {
    try {
      const { status, requestId, text } = await askChat({
        url: service.gateway().url,
        token: service.caller.token,
        model: SAME_NAME_MODEL,
        content: key,
        headers: { 'idempotency-key': key },
      })
      return `${status} ${requestId} ${text}`
    } catch {
      // The connection is gone with the process, and the next one is about to listen.
      await sleep(20)
    }
  }
}

/** Asks once. The request's id when the answer came whole, null when it did not. */
async function askOnce(url: string, stream: boolean): Promise<string | null> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.caller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: SAME_NAME_MODEL, messages: [{ role: 'user', content: 'Hi' }], stream }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  const isWhole = stream ? text.endsWith('data: [DONE]\n\n') : JSON.parse(text).choices.length === 1
  return isWhole ? response.headers.get('x-request-id') : null
}

/** Asks again and again until the service is gone; gives the ids of all answers that came whole. */
async function askUntilKilled(url: string, stream: boolean): Promise<string[]> {
  const whole: string[] = []
  for (let turn = 0; ; turn++) {
    try {
      const id = await askOnce(url, stream === turn % 3 > 0)
      if (id !== null) whole.push(id)
    } catch (error) {
      // The connection is gone with the process; an answer of the service itself would be a defect.
      if (error instanceof Error && /^\d/.test(error.message)) throw error
      return whole
    }
  }
}

async function verifyLedger(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [VERIFY], {
    env: { PATH: process.env.PATH ?? '', ...service.env, ...COMPILE_CACHE },
  })
  return stdout
}

test('every answer that came whole is on the ledger exactly once, kill after kill', async () => {
  const whole: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const gateway = kill === 0 ? service.gateway() : await service.startAgain()
    const asking = Array.from({ length: CLIENTS }, (_, index) => askUntilKilled(gateway.url, index % 2 === 0))
    await sleep(300 + Math.random() * 900)
    await gateway.end('SIGKILL')
    whole.push(...(await Promise.all(asking)).flat())
  }
  // Nothing has started since the kill: what is on the disk is all there is.
  expect(await verifyLedger()).toContain('The ledger adds up')
  // A test that got nothing through would prove nothing.
  expect(whole.length).toBeGreaterThan(CLIENTS * KILLS)
  expect(new Set(whole).size).toBe(whole.length)

  const books = await service.books()
  expectBooksToAddUp(books)
  const succeeded = new Set(books.requests.filter(({ status }) => status === 'succeeded').map(({ id }) => id))
  const charges = books.entries.filter(({ kind }) => kind === 'charge').map(entry => entry.request_id)
  const charged = new Set(charges)
  expect(charged.size).toBe(charges.length)
  expect(whole.filter(id => !succeeded.has(id))).toEqual([])
  expect(whole.filter(id => !charged.has(id))).toEqual([])
  // Nobody is charged for what the upstream was never asked.
  expect(charged.size).toBeLessThanOrEqual(service.upstream.requests.length)

  const again = await service.startAgain()
  expect(await askOnce(again.url, false)).toMatch(/^req_/)
  expect(await again.end('SIGTERM')).toBe(0)
  expect(await verifyLedger()).toContain('The ledger adds up')
}, 90_000)

test('what is asked with a key is charged once and answered alike, though the process is killed', async () => {
  const gateway = await service.startAgain()
  const before = (await service.books()).entries.length
  const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`)
  const asking = keys.map(async (key, index) => {
    await sleep(index * 5)
    return askWithKey(key)
  })
  await sleep(600)
  await gateway.end('SIGKILL')
  await service.startAgain()
  const answers = await Promise.all(asking)
  expect(answers.filter(answer => !answer.startsWith('200 '))).toEqual([])
  expect(await Promise.all(keys.map(askWithKey))).toEqual(answers)
  expect(await service.gateway().end('SIGTERM')).toBe(0)
  const books = await service.books()
  expectBooksToAddUp(books)
  expect(books.entries.slice(before).filter(({ kind }) => kind === 'charge')).toHaveLength(keys.length)
  expect(await verifyLedger()).toContain('The ledger adds up')
}, 60_000)
