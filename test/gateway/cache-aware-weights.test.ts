/** Weights of cache writes that live for an hour, and of longer requests: the charge, the record, the receipt, the proof. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestDetail } from '#contract/usage.ts'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { sendJson, startUpstream, type Upstream } from '#test/support/upstream.ts'
import { anthropicMessage } from '#test/translation/anthropic-wire.ts'

const WEIGHTS = {
  input: 2,
  cache_read: 0.2,
  cache_write: 2.5,
  cache_write_1h: 4,
  output: 10,
  tiers: [
    {
      above_input_tokens: 1000,
      weights: { input: 4, cache_read: 0.4, cache_write: 5, cache_write_1h: 8, output: 15 },
    },
  ],
}
const { tiers, ...BASE } = WEIGHTS

let gateway: TestGateway
let upstream: Upstream
let caller: NewCaller
beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway()
  const provider = await gateway.admin.call<{ id: string }>('POST', '/admin/providers', {
    name: 'Anthropic',
    kind: 'anthropic',
    base_url: upstream.baseUrl,
    credential: 'a-key',
  })
  await gateway.admin.call('POST', '/admin/models', {
    id: 'claude',
    weights: WEIGHTS,
    routes: [{ provider_id: provider.id, upstream_model: 'claude-sonnet-4-5' }],
  })
  caller = await makeCaller(gateway.admin, { credits: 1_000 })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

type Usage = { plain: number; read?: number; short?: number; long?: number }

/** Asks over a route for an answer of one token, for which the upstream reports this usage. */
async function ask(path: string, { plain, read = 0, short = 0, long = 0 }: Usage): Promise<RequestDetail> {
  upstream.respond((_request, response) =>
    sendJson(
      response,
      anthropicMessage([{ type: 'text', text: 'Hello!' }], {
        usage: {
          input_tokens: plain,
          output_tokens: 1,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: short + long,
          cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
        },
      }),
    ),
  )
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(response.status).toBe(200)
  await response.text()
  return gateway.admin.call<RequestDetail>('GET', `/admin/requests/${response.headers.get('x-request-id')}`)
}

describe.each(['/v1/messages', '/v1/chat/completions'])('%s', path => {
  test('writes that live for an hour are a part of their bucket, and a line of the receipt', async () => {
    const { usage, weights, credits, receipt } = await ask(path, {
      plain: 20,
      read: 100,
      short: 30,
      long: 200,
    })
    expect(usage).toEqual({ input: 20, cache_read: 100, cache_write: 230, cache_write_1h: 200, output: 1 })
    expect(weights).toEqual(BASE)
    // 40 + 20 + 75 + 800 + 10
    expect(credits).toBe(0.000945)
    expect(receipt?.lines.map(({ item, count, weight }) => [item, count, weight])).toEqual([
      ['input', 20, '2'],
      ['cache_read', 100, '0.2'],
      ['cache_write', 30, '2.5'],
      ['cache_write_1h', 200, '4'],
      ['output', 1, '10'],
    ])
    expect(receipt).toMatchObject({ sum: '0.000945', charged: '0.000945' })
  })

  test('a request above a bound weighs more in all its parts, and says which bound', async () => {
    const below = await ask(path, { plain: 500, read: 500 })
    expect(below).toMatchObject({ weights: BASE, credits: 0.00111 })
    const above = await ask(path, { plain: 500, read: 500, long: 1 })
    expect(above.weights).toEqual({ ...tiers[0]?.weights, above_input_tokens: 1000 })
    // 2000 + 200 + 8 + 15
    expect(above.credits).toBe(0.002223)
    expect(above.receipt?.lines.at(-1)).toMatchObject({ item: 'output', weight: '15' })
  })
})

test('the books prove all of it', async () => {
  const books = await gateway.app.storage.snapshot(db => verifyLedger(db))
  expect(books).toMatchObject({ ok: true })
})

test('a change of tiers touches no record that was made', async () => {
  const before = await ask('/v1/messages', { plain: 2000 })
  await gateway.admin.call('PATCH', '/admin/models/claude', { weights: BASE })
  const after = await gateway.admin.call<RequestDetail>('GET', `/admin/requests/${before.id}`)
  expect(after).toEqual(before)
  expect(await gateway.app.storage.snapshot(db => verifyLedger(db))).toMatchObject({ ok: true })
  expect((await ask('/v1/messages', { plain: 2000 })).weights).toEqual(BASE)
  await gateway.admin.call('PATCH', '/admin/models/claude', { weights: WEIGHTS })
})

test('the public catalogue shows what a model weighs, tiers and all', async () => {
  const response = await fetch(`${gateway.url}/v1/catalog/models/claude`)
  expect(await response.json()).toMatchObject({ weights: WEIGHTS })
})

test.each([
  ['weights.cache_write_1h', { ...BASE, cache_write_1h: -1 }],
  ['weights.tiers.0.above_input_tokens', { ...BASE, tiers: [{ ...tiers[0], above_input_tokens: 0 }] }],
  [
    'weights.tiers.0.weights.cache_read',
    { ...BASE, tiers: [{ above_input_tokens: 5, weights: { input: 1 } }] },
  ],
  [
    'weights.tiers.0.weights.cache_write_1h',
    {
      ...BASE,
      tiers: [{ above_input_tokens: 5, weights: { ...tiers[0]?.weights, cache_write_1h: undefined } }],
    },
  ],
  ['weights', { ...BASE, cache_write_2h: 1 }],
])('%s that means nothing is refused by name', async (field, weights) => {
  const call = gateway.admin.call('PATCH', '/admin/models/claude', { weights })
  await expect(call).rejects.toThrow('400')
  await expect(call).rejects.toThrow(field)
})
