/** Many requests, a third of them left by their clients, leave no memory, no slot and no credit behind. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooksToAddUp } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Inspected, inspect } from '#test/support/inspected-process.ts'
import { residentMib } from '#test/support/process-memory.ts'
import { rawRequest } from '#test/support/raw-client.ts'
import { SAME_NAME_MODEL, type SpawnedService, startSpawnedService } from '#test/support/spawned-service.ts'
import { answerWell, beginSse, chatChunk } from '#test/support/upstream.ts'

const REQUESTS = 10_000
const CLIENTS = 64
/** Forgetting half a kilobyte for each request would show. What may grow are caches on their way to their limits. */
const MOST_HEAP_GROWTH_MIB = 5
/** Beside the heap: the database's page cache, buffers of sockets, and what the allocator keeps for later. */
const MOST_RESIDENT_GROWTH_MIB = 64

let service: SpawnedService
let inspected: Inspected

beforeAll(async () => {
  service = await startSpawnedService({
    limits: { requests: 1_000_000, concurrency: CLIENTS * 2 },
    env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' },
  })
  inspected = await inspect(service.gateway().output())
  service.upstream.respond((incoming, response) => {
    const isLeft = JSON.stringify(incoming.body.messages).includes('leave')
    if (!isLeft) return answerWell(incoming, response)
    if (incoming.body.stream) beginSse(response, [chatChunk({ role: 'assistant', content: 'Hello' })])
  })
})
afterAll(async () => {
  inspected.close()
  await service.close()
})

/** How a request of a mixed load goes: every third is left by its client, at one of two stages. */
type Course = 'plain' | 'streamed' | 'left while waiting' | 'left within the stream'

const COURSES: Course[] = [
  'plain',
  'streamed',
  'left while waiting',
  'plain',
  'streamed',
  'left within the stream',
]

/** The end of each answer that comes whole: clients on bare sockets cost the machine least. */
const ENDINGS: Partial<Record<Course, string>> = {
  plain: '"total_tokens":15}}',
  streamed: '[DONE]\n\n\r\n0\r\n\r\n',
}

function requestOf(course: Course): Buffer {
  return rawRequest({
    token: service.caller.token,
    body: JSON.stringify({
      model: SAME_NAME_MODEL,
      messages: [{ role: 'user', content: course.startsWith('left') ? 'leave' : 'stay' }],
      stream: course === 'streamed' || course === 'left within the stream',
    }),
  })
}

async function openSocket(): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(service.gateway().url).port),
    host: '127.0.0.1',
    noDelay: true,
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Reads until the answer has this end; throws when the connection ends before. */
function readUntil(socket: Socket, ending: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const stop = () => socket.off('data', read).off('close', fail)
    const fail = () => reject(new Error(`The answer broke off: ${text}`))
    const read = (piece: Buffer) => {
      text += piece.toString('latin1')
      if (!text.endsWith(ending)) return
      stop()
      if (text.startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(text))
    }
    socket.on('data', read).once('close', fail)
  })
}

/** One request on an open connection; gives the connection back when it can serve again. */
async function run(course: Course, socket: Socket): Promise<Socket | null> {
  socket.write(requestOf(course))
  const ending = ENDINGS[course]
  if (ending !== undefined) {
    await readUntil(socket, ending)
    return socket
  }
  if (course === 'left while waiting') await sleep(10)
  else await once(socket, 'data')
  socket.resetAndDestroy()
  return null
}

async function runMany(): Promise<void> {
  let started = 0
  const runInTurn = async () => {
    let socket: Socket | null = null
    while (started < REQUESTS) {
      const course = COURSES[started++ % COURSES.length] ?? 'plain'
      socket = await run(course, socket ?? (await openSocket()))
    }
    socket?.destroy()
  }
  await Promise.all(Array.from({ length: CLIENTS }, runInTurn))
}

async function measure() {
  // The last cancellations are being settled.
  await eventually(() => expect(service.upstream.load.now).toBe(0))
  await sleep(500)
  return {
    heapMib: await inspected.liveHeapMib(),
    residentMib: await residentMib(service.gateway().child.pid ?? 0),
  }
}

test('memory is flat, all slots are free, and the books add up after 20,000 requests', async () => {
  await runMany()
  const before = await measure()
  await runMany()
  const after = await measure()
  expect(after.heapMib - before.heapMib).toBeLessThan(MOST_HEAP_GROWTH_MIB)
  expect(after.residentMib - before.residentMib).toBeLessThan(MOST_RESIDENT_GROWTH_MIB)

  const books = await service.books()
  expectBooksToAddUp(books)
  expect(books.requests.filter(({ status }) => status === 'failed')).toEqual([])
  // A client that left before the gateway had read its request at all leaves no record.
  expect(books.requests.filter(({ status }) => status === 'succeeded').length).toBeGreaterThanOrEqual(
    Math.floor((REQUESTS * 2 * 2) / 3) - 2,
  )
  expect(await freeSlots()).toBe(CLIENTS * 2 - 1)
}, 120_000)

/** What the gateway says of the key's slots: all but the one that asks. */
async function freeSlots(): Promise<number> {
  const response = await fetch(`${service.gateway().url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.caller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: SAME_NAME_MODEL, messages: [{ role: 'user', content: 'stay' }] }),
  })
  return Number(response.headers.get('x-concurrency-remaining'))
}
