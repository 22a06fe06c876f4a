import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '#telemetry/log.ts'
import { eventually } from '#test/support/eventually.ts'
import { createHttpApp, type HttpApp } from './frame.ts'
import { sendFile, sendList } from './stream-reply.ts'

const PIECE = 'x'.repeat(100_000)

let app: HttpApp
let port: number
/** How many pieces were asked for, and whether the making of them has ended. */
let made: number
let ended: boolean

async function* pieces(count: number, failsAt = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  try {
    for (; made < count; made++) {
      await sleep(0)
      if (made === failsAt) throw new Error('the store is gone')
      yield PIECE
    }
  } finally {
    ended = true
  }
}

beforeEach(async () => {
  made = 0
  ended = false
  app = createHttpApp({ log: silentLog, trustProxy: false })
  const file = { name: 'some.csv', type: 'text/csv' }
  app.get('/whole', async (_request, reply) => sendFile(reply, file, pieces(20)))
  app.get('/endless', async (_request, reply) => sendFile(reply, file, pieces(1_000_000)))
  app.get('/broken', async (_request, reply) => sendFile(reply, file, pieces(20, 5)))
  app.get('/list', async (_request, reply) => sendList(reply, { object: 'list' }, batches()))
  app.get('/nothing', async (_request, reply) =>
    sendList(reply, { object: 'list' }, (async function* () {})()),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(() => app.close())

async function* batches() {
  yield [{ a: 1 }, { a: 2 }]
  yield []
  yield [{ a: 3 }]
}

const url = (path: string) => `http://127.0.0.1:${port}${path}`

test('a file comes whole, with its name', async () => {
  const response = await fetch(url('/whole'))
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="some.csv"')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect((await response.text()).length).toBe(20 * PIECE.length)
  expect(ended).toBe(true)
})

test('a list comes as one JSON value, however it was made', async () => {
  expect(await (await fetch(url('/list'))).json()).toEqual({
    object: 'list',
    data: [{ a: 1 }, { a: 2 }, { a: 3 }],
  })
  expect(await (await fetch(url('/nothing'))).json()).toEqual({ object: 'list', data: [] })
})

test('what can not be made to its end is cut off, so that nobody takes a part for all', async () => {
  const response = await fetch(url('/broken'))
  await expect(response.text()).rejects.toThrow()
  expect(ended).toBe(true)
})

test('no more is made than a client reads, and nothing for one that has left', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
  let before = -1
  // It comes to rest: what is under way fits into the buffers of both sides.
  await eventually(async () => {
    before = made
    await sleep(200)
    expect(made).toBe(before)
    expect(made).toBeGreaterThan(0)
  }, 20_000)
  expect(made).toBeLessThan(1_000)
  expect(ended).toBe(false)
  socket.destroy()
  await eventually(() => expect(ended).toBe(true))
})
