/** A client that reads slowly is the upstream's problem, not the gateway's: memory stays bounded, nothing is lost. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooksToAddUp } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import { residentMib } from '#test/support/process-memory.ts'
import { SAME_NAME_MODEL, type SpawnedService, startSpawnedService } from '#test/support/spawned-service.ts'
import { chatChunk, event, usageChunk } from '#test/support/upstream.ts'

const CLIENTS = 8
const PIECES = 640
const PIECE_BYTES = 64 * 1024
const TOTAL_BYTES = CLIENTS * PIECES * PIECE_BYTES
/**
 * What may pass while nobody reads: the buffers of two connections in the kernel (up to 10 MiB each on Linux) and a
 * little in both processes, for each client. Without a pause it would be all of it: 320 MiB.
 */
const MOST_WRITTEN_BYTES = TOTAL_BYTES * 0.6
/** The gateway's own share, with what the collector has not yet given back. */
const MOST_GROWTH_MIB = 160

let service: SpawnedService
const sent = { bytes: 0, hash: createHash('sha256') }

const PIECE = event(chatChunk({ content: 'x'.repeat(PIECE_BYTES) }))
const ENDING = [event(chatChunk({}, 'stop')), event(usageChunk()), event('[DONE]')]

/** Writes a long stream, never more than the other side takes. */
async function sendMuch(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const closed = once(response, 'close')
  for (let piece = 0; piece < PIECES && !response.destroyed; piece++) {
    const flowsOn = response.write(PIECE)
    sent.bytes += PIECE.length
    if (!flowsOn) await Promise.race([once(response, 'drain'), closed])
  }
  response.end(ENDING.join(''))
}

beforeAll(async () => {
  service = await startSpawnedService()
  service.upstream.respond((_request, response) => sendMuch(response))
})
afterAll(() => service.close())

type SlowClient = { readonly request: ClientRequest; readonly response: IncomingMessage }

/** Asks for a stream, and reads nothing of it. */
async function openSlowClient(): Promise<SlowClient> {
  const asking = request(`${service.gateway().url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${service.caller.token}`, 'content-type': 'application/json' },
  })
  asking.on('error', () => {})
  asking.end(
    JSON.stringify({
      model: SAME_NAME_MODEL,
      messages: [{ role: 'user', content: 'Much' }],
      stream: true,
      stream_options: { include_usage: true },
    }),
  )
  const [response] = await once(asking, 'response')
  return { request: asking, response }
}

/** Waits until the upstream has not been able to write for a while. */
async function untilNothingFlows(): Promise<void> {
  for (let before = -1; before !== sent.bytes; await sleep(400)) before = sent.bytes
}

/** What one connection of the service still has to be told to end. */
async function hashOfRest(response: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of response) hash.update(piece)
  return hash.digest('hex')
}

test('the upstream is paused while clients do not read, and the streams end whole when they do', async () => {
  const pid = service.gateway().child.pid ?? 0
  const beforeMib = await residentMib(pid)
  const clients = await Promise.all(Array.from({ length: CLIENTS }, openSlowClient))
  await untilNothingFlows()

  expect(sent.bytes).toBeLessThan(MOST_WRITTEN_BYTES)
  expect((await residentMib(pid)) - beforeMib).toBeLessThan(MOST_GROWTH_MIB)

  const whole = createHash('sha256')
  for (let piece = 0; piece < PIECES; piece++) whole.update(PIECE)
  const expected = whole.update(ENDING.join('')).digest('hex')
  const hashes = await Promise.all(clients.map(({ response }) => hashOfRest(response)))
  expect(hashes).toEqual(Array(CLIENTS).fill(expected))
  expect((await residentMib(pid)) - beforeMib).toBeLessThan(MOST_GROWTH_MIB * 1.5)
}, 60_000)

test('clients that never read again and go free everything that was held for them', async () => {
  const cancelledBefore = service.upstream.cancelled.length
  sent.bytes = 0
  const clients = await Promise.all(Array.from({ length: CLIENTS }, openSlowClient))
  await untilNothingFlows()
  const [first, ...others] = clients
  first?.request.destroy()
  for (const { request: asking } of others) asking.socket?.resetAndDestroy()

  await eventually(() => expect(service.upstream.cancelled.length - cancelledBefore).toBe(CLIENTS))
  await eventually(async () => {
    const books = await service.books()
    expect(books.requests.map(({ status }) => status).sort()).toEqual([
      ...Array(CLIENTS).fill('cancelled'),
      ...Array(CLIENTS).fill('succeeded'),
    ])
    expectBooksToAddUp(books)
  })
}, 60_000)
