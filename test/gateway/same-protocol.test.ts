/** Each dialect to an upstream that speaks it: bytes pass through, and the books are right however a stream goes. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { WIRE_DIALECTS, type WireDialect } from '#test/support/dialects.ts'
import { eventually } from '#test/support/eventually.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { openRawClient } from '#test/support/raw-client.ts'
import { sendJson, startUpstream, type Upstream } from '#test/support/upstream.ts'

const MODEL = 'public/model'
/** 6 plain, 1 read from the cache, 3 written to it, 5 out, by the weights 2, 0.5, 3 and 10: 71.5, rounded up. */
const CHARGE = 72n

let gateway: TestGateway
let upstream: Upstream
let caller: NewCaller

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway()
  for (const { name, kind } of WIRE_DIALECTS) {
    await makeModel(gateway.admin, `${MODEL}-${name}`, { routes: [{ baseUrl: upstream.baseUrl, kind }] })
  }
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
beforeEach(async () => {
  caller = await makeCaller(gateway.admin, { limits: { concurrency: 1, requests: 100_000 } })
})

function post({ path }: WireDialect, body: unknown): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

async function expectOneRecord(expected: object, charge: bigint | null): Promise<void> {
  await eventually(async () => {
    const books = await readBooks(gateway.app.storage, caller.accountId)
    expect(books.requests).toHaveLength(1)
    expect(books.requests[0]).toMatchObject(expected)
    if (charge !== null) expect(books.requests[0]?.charge_micros).toBe(charge)
    expectBooksToAddUp(books)
  })
}

describe.each(WIRE_DIALECTS)('$name', wire => {
  const model = `${MODEL}-${wire.name}`
  const publicText = (text: string) => text.replaceAll('"upstream-model"', `"${model}"`)
  const whole = wire.events.join('')

  test('the request goes up byte for byte but for the model', async () => {
    upstream.respond((_request, response) => sendJson(response, wire.reply('upstream-model')))
    const body = JSON.stringify({ odd: [1, 'é'], ...wire.body(model, false) }).replace('[1,', '[ 1.0 ,')
    await post(wire, body)
    expect(upstream.requests.at(-1)?.path).toBe(wire.path)
    expect(upstream.requests.at(-1)?.bytes.toString()).toBe(body.replace(`"${model}"`, '"upstream-model"'))
  })

  test('a reply comes down byte for byte but for the model, and is charged by its report', async () => {
    const reply = JSON.stringify({ odd: 1, ...wire.reply('upstream-model') }, null, 1)
    upstream.respond((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(reply),
    )
    const response = await post(wire, wire.body(model, false))
    expect(await response.text()).toBe(publicText(reply))
    await expectOneRecord(
      {
        endpoint: wire.name,
        status: 'succeeded',
        usage_source: 'upstream',
        input_tokens: 6,
        cache_read_tokens: 1,
        cache_write_tokens: 3,
        output_tokens: 5,
      },
      CHARGE,
    )
  })

  test('a reply without a report is metered by an estimate', async () => {
    const { usage: _, ...reply } = wire.reply('upstream-model')
    upstream.respond((_request, response) => sendJson(response, reply))
    expect((await post(wire, wire.body(model, false))).status).toBe(200)
    await expectOneRecord({ status: 'succeeded', usage_source: 'estimate', output_tokens: 3 }, null)
  })

  test.each([
    ['in one piece', (text: string) => [text]],
    ['event by event', () => [...wire.events]],
    ['byte by byte', (text: string) => [...text]],
  ])('a stream that comes %s', async (_how, split) => {
    upstream.respond(async (_request, response) => {
      beginEvents(response)
      for (const piece of split(whole)) {
        response.write(piece)
        if (split(whole).length > 1) await new Promise(setImmediate)
      }
      response.end()
    })
    const response = await post(wire, wire.body(model, true))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(await response.text()).toBe(publicText(whole))
    await expectOneRecord(
      { status: 'succeeded', stream: 1, usage_source: 'upstream', output_tokens: 5 },
      CHARGE,
    )
  })

  test('lines may end in CRLF', async () => {
    const text = whole.replaceAll('\n', '\r\n')
    upstream.respond((_request, response) => {
      beginEvents(response)
      response.end(text)
    })
    const received = await (await post(wire, wire.body(model, true))).text()
    expect(received).toBe(publicText(text))
    await expectOneRecord({ status: 'succeeded', usage_source: 'upstream' }, CHARGE)
  })

  test.each(wire.events.map((_event, index) => index))('cut after %d events', async count => {
    upstream.respond((_request, response) => {
      beginEvents(response)
      response.write(wire.events.slice(0, count).join(''), () => setImmediate(() => response.destroy()))
    })
    const response = await post(wire, wire.body(model, true))
    const received = await response.text()
    if (count === 0) {
      expect(response.status).toBe(502)
      await expectOneRecord({ status: 'failed' }, 0n)
    } else if (count <= wire.completeAt) {
      expect(wire.isWhole(received)).toBe(false)
      expect(wire.endsInError(received)).toBe(true)
      await expectOneRecord({ status: 'failed', http_status: 200, error_type: 'upstream_error' }, 0n)
    } else {
      // All that was answered has come: the end that is missing is put there.
      expect(wire.isWhole(received)).toBe(true)
      await expectOneRecord({ status: 'succeeded' }, null)
    }
  })

  test.each(wire.events.map((_event, index) => index))('an error after %d events', async count => {
    upstream.respond((_request, response) => {
      beginEvents(response)
      response.end(wire.events.slice(0, count).join('') + wire.errorEvent)
    })
    const response = await post(wire, wire.body(model, true))
    const received = await response.text()
    if (count === 0) {
      expect(response.status).toBe(502)
      await expectOneRecord({ status: 'failed' }, 0n)
    } else if (count <= wire.completeAt) {
      expect(wire.endsInError(received)).toBe(true)
      await expectOneRecord({ status: 'failed' }, 0n)
    } else {
      expect(wire.isWhole(received)).toBe(true)
      await expectOneRecord({ status: 'succeeded' }, null)
    }
  })

  test.each(wire.events.map((_event, index) => index).filter(index => index > 0))(
    'the client leaves when %d events have come',
    async count => {
      upstream.respond((_request, response) => {
        beginEvents(response)
        // A later comment tells that all before it was read.
        response.write(`${wire.events.slice(0, count).join('')}`)
      })
      const cancelledBefore = upstream.cancelled.length
      const client = await openRawClient(gateway.url, {
        path: wire.path,
        token: caller.token,
        body: JSON.stringify(wire.body(model, true)),
      })
      const shown = Math.min(count, wire.completeAt)
      const last = publicText(wire.events[shown - 1] ?? '').trimEnd()
      await eventually(() => expect(client.text()).toContain(last))
      client.leave('RST')
      await eventually(() => expect(upstream.cancelled.length).toBe(cancelledBefore + 1))
      if (count < wire.contentAt) await expectOneRecord({ status: 'cancelled', usage_source: null }, 0n)
      else await expectOneRecord({ status: 'cancelled' }, null)
      const { requests } = await readBooks(gateway.app.storage, caller.accountId)
      if (count >= wire.contentAt) expect(requests[0]?.charge_micros).toBeGreaterThan(0n)
      // What is known of the input is better than an estimate of it.
      if (wire.name === 'messages' && count >= wire.contentAt) {
        expect(requests[0]).toMatchObject({ input_tokens: 6, cache_read_tokens: 1, cache_write_tokens: 3 })
      }
    },
  )

  test('nothing that completes an answer goes out before its charge is on the ledger', async () => {
    const release = Promise.withResolvers<void>()
    upstream.respond(async (_request, response) => {
      beginEvents(response)
      response.write(wire.events.slice(0, -1).join(''))
      await release.promise
      response.end(wire.events.at(-1))
    })
    const client = await openRawClient(gateway.url, {
      path: wire.path,
      token: caller.token,
      body: JSON.stringify(wire.body(model, true)),
    })
    await eventually(() => expect(wire.textOf(client.text())).toBe('Hello there!'))
    expect(client.text()).not.toContain(wire.events[wire.completeAt]?.trimEnd())
    expect((await readBooks(gateway.app.storage, caller.accountId)).requests).toHaveLength(0)
    release.resolve()
    await eventually(() => expect(client.text()).toContain(publicText(wire.events.at(-1) ?? '').trimEnd()))
    expect((await readBooks(gateway.app.storage, caller.accountId)).requests).toHaveLength(1)
    client.socket.destroy()
  })
})
