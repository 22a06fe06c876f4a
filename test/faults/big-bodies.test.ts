/** Big bodies pass byte for byte, up to the limit, and nobody else waits for them. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import { expectBooksToAddUp } from '#test/support/books.ts'
import { type Inspected, inspect } from '#test/support/inspected-process.ts'
import { type SpawnedService, startSpawnedService } from '#test/support/spawned-service.ts'
import { chatReply } from '#test/support/upstream.ts'

const MIB = 1024 * 1024
const LIMIT = 32 * MIB

let service: SpawnedService
let inspected: Inspected
/** An upstream that looks at bytes alone, so that its own work does not hold up the clients of this process. */
let hashing: Server
const arrived: { bytes: number; hash: string }[] = []
let embeddingsReply = ''

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

beforeAll(async () => {
  hashing = createServer((request, response) => {
    const hash = createHash('sha256')
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      hash.update(piece)
      bytes += piece.length
    })
    request.once('end', () => {
      arrived.push({ bytes, hash: hash.digest('hex') })
      const isChat = request.url?.endsWith('/chat/completions')
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(isChat ? JSON.stringify(chatReply('Hello')) : embeddingsReply)
    })
  })
  await new Promise<void>(resolve => hashing.listen(0, '127.0.0.1', resolve))
  const { port } = hashing.address() as AddressInfo // a server that listens on a port has one
  service = await startSpawnedService({ env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } })
  inspected = await inspect(service.gateway().output())
  await makeModel(service.admin, 'public/model', {
    routes: [{ baseUrl: `http://127.0.0.1:${port}/v1` }],
    endpoints: ['chat', 'embeddings'],
  })
})
afterAll(async () => {
  inspected.close()
  await service.close()
  hashing.closeAllConnections()
  await new Promise(resolve => hashing.close(resolve))
})

function post(path: string, body: string | Buffer | ReadableStream): Promise<Response> {
  return fetch(`${service.gateway().url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.caller.token}`, 'content-type': 'application/json' },
    // A stream goes out in chunks, without its length said before.
    ...(body instanceof ReadableStream ? { body, duplex: 'half' } : { body }),
  } as RequestInit) // `duplex` is missing in the types
}

/** A chat body of exactly so many bytes: one long text. */
function longText(bytes: number, model = 'public/model'): string {
  const around = JSON.stringify({ model, messages: [{ role: 'user', content: '' }] })
  return around.replace('"content":""', `"content":"${'x'.repeat(bytes - around.length)}"`)
}

/** A chat body of about so many bytes that is as much work to parse as JSON can be: small things in great number. */
function manyMessages(bytes: number, model = 'public/model'): string {
  const message = '{"role":"user","content":"é","n":[1,2.5,{}]}'
  return `{"model":"${model}","messages":[${Array(Math.floor(bytes / (message.length + 2)))
    .fill(message)
    .join(',')}]}`
}

function renamed(body: string): string {
  return body.replace('"public/model"', '"upstream-model"')
}

describe('a body of 20 MB', () => {
  test.each([
    ['one long text', longText],
    ['a great number of messages', manyMessages],
  ])('of %s arrives at the upstream byte for byte', async (_name, make) => {
    const body = make(20_000_000)
    expect((await post('chat/completions', body)).status).toBe(200)
    expect(arrived.at(-1)).toEqual({
      bytes: Buffer.byteLength(renamed(body)),
      hash: sha256(renamed(body)),
    })
  })
})

describe('the limit', () => {
  test('32 MiB are accepted', async () => {
    const body = longText(LIMIT)
    expect(Buffer.byteLength(body)).toBe(LIMIT)
    expect((await post('chat/completions', body)).status).toBe(200)
    expect(arrived.at(-1)?.hash).toBe(sha256(renamed(body)))
  })

  test.each(['announced', 'in chunks'])('one byte more is refused with 413, %s', async how => {
    const arrivedBefore = arrived.length
    const body = longText(LIMIT + 1)
    const response = await post('chat/completions', how === 'announced' ? body : new Blob([body]).stream())
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 'request_too_large' },
    })
    expect(arrived.length).toBe(arrivedBefore)
  })
})

test('an embeddings answer of 10 MB passes whole and is charged by its report', async () => {
  const embedding = Array.from({ length: 1_000 }, (_, index) => index / 1_000 - 0.5)
  const data = Array.from({ length: 1_500 }, (_, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: 3_000, total_tokens: 3_000 }
  embeddingsReply = JSON.stringify({ object: 'list', model: 'public/model', data, usage })
  expect(embeddingsReply.length).toBeGreaterThan(10_000_000)
  const response = await post('embeddings', JSON.stringify({ model: 'public/model', input: 'Hi' }))
  expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(sha256(embeddingsReply))
  const books = await service.books()
  const id = response.headers.get('x-request-id')
  expect(books.requests.find(request => request.id === id)).toMatchObject({
    status: 'succeeded',
    input_tokens: 3_000,
    charge_micros: 6_000n,
  })
  expectBooksToAddUp(books)
})

/** Parsing such a body takes several hundred milliseconds: one that is parsed on the event loop makes everybody wait so long. */
const MOST_WAIT_MS = 150
const SENDERS = 3

test('small requests hardly wait while bodies of 20 MB are being handled', async () => {
  const body = Buffer.from(manyMessages(20_000_000))
  const small = JSON.stringify({ model: 'public/model', messages: [{ role: 'user', content: 'Hi' }] })
  await inspected.watchTurns()
  let isOver = false
  const senders = Array.from({ length: SENDERS }, async () => {
    for (let sent = 0; sent < 2; sent++) {
      const response = await post('chat/completions', body)
      await response.arrayBuffer()
      expect(response.status).toBe(200)
    }
  })
  const all = Promise.all(senders).finally(() => {
    isOver = true
  })
  let answered = 0
  while (!isOver) {
    const response = await post('chat/completions', small)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    answered++
    await sleep(5)
  }
  await all
  expect(answered).toBeGreaterThan(10)
  expect(await inspected.longestTurnMs()).toBeLessThan(MOST_WAIT_MS)
}, 60_000)
