import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Overview, overview } from '#contract/overview.ts'
import { loadListPrices } from '#domains/catalog/list-price.ts'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { eventually } from '#test/support/eventually.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { answerWell, startUpstream, type Upstream } from '#test/support/upstream.ts'

const LISTED = 'llama-3.1-8b-instant'
const EMBEDDING = 'text-embedding-3-small'

let upstream: Upstream
let gateway: TestGateway
let caller: NewCaller
beforeAll(async () => {
  upstream = await startUpstream()
  upstream.respond(answerWell)
  gateway = await startGateway()
  const { admin } = gateway
  await makeModel(admin, 'listed', {
    routes: [{ kind: 'groq', baseUrl: upstream.baseUrl, upstreamModel: LISTED }],
  })
  await makeModel(admin, 'embedding', {
    routes: [{ kind: 'azure', baseUrl: upstream.baseUrl, upstreamModel: EMBEDDING }],
    endpoints: ['embeddings'],
  })
  await makeModel(admin, 'unlisted', { routes: [{ baseUrl: upstream.baseUrl }] })
  caller = await makeCaller(admin)
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function ask(model: string, { token } = caller): Promise<number> {
  return (await askChat({ url: gateway.url, token, model })).status
}

async function embed(): Promise<number> {
  const response = await fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'embedding', input: 'Hi' }),
  })
  await response.arrayBuffer()
  return response.status
}

async function read(query = ''): Promise<Overview> {
  return overview.strict().parse(await gateway.admin.call('GET', `/admin/overview${query}`))
}

test('what requests earned stands beside what they cost at list prices, and what has none is counted', async () => {
  for (const model of ['listed', 'listed', 'unlisted']) expect(await ask(model)).toBe(200)
  const listed = (await loadListPrices(Date.now()))({ provider: 'groq', model: LISTED, endpoint: 'chat' })
  const weights = listed?.weights
  if (!weights) throw new Error('The price list has lost the model')
  // Two answers of ten tokens in and five out each.
  const usd = (20 * weights.input + 10 * weights.output) / 1_000_000
  await eventually(async () => {
    const { upstream_cost: cost, earned } = await read()
    expect(cost).toMatchObject({ priced_requests: 2, unpriced_requests: 1 })
    expect(Number(cost.usd)).toBeCloseTo(usd, 12)
    expect(earned.credits).toBeCloseTo(3 * 0.00007, 6)
    expect(Number(earned.usd)).toBeCloseTo(earned.credits, 6)
  })
})

test('an embedding costs what its input does: the list has no price for an output that there is not', async () => {
  const before = (await read()).upstream_cost
  expect(await embed()).toBe(200)
  const prices = await loadListPrices(Date.now())
  const listed = prices({ provider: 'azure', model: EMBEDDING, endpoint: 'embeddings' })
  if (!listed?.weights) throw new Error('The price list has lost the model')
  const usd = (8 * listed.weights.input) / 1_000_000
  await eventually(async () => {
    const { upstream_cost: cost } = await read()
    expect(cost.priced_requests).toBe(before.priced_requests + 1)
    expect(cost.unpriced_requests).toBe(before.unpriced_requests)
    expect(Number(cost.usd) - Number(before.usd)).toBeCloseTo(usd, 12)
  }, 5_000)
})

test('the stores, what is sold and who has run out are told', async () => {
  const poor = await makeCaller(gateway.admin, { credits: 0.00005 })
  await makeCaller(gateway.admin, { credits: 0 })
  expect(await ask('listed', poor)).toBe(200)
  expect(await read()).toMatchObject({
    in_flight: 0,
    stores: { database: 'ok' },
    sold: { orders: 0, credits: 0, money: [] },
    waiting_orders: 0,
    exhausted_accounts: 1,
    models_without_route: [],
  })
})

test('a route that is throttled, and a model without one, are told', async () => {
  upstream.respond((_request, response) => {
    response.writeHead(429, { 'retry-after': '30', 'content-type': 'application/json' })
    response.end('{"error":{"message":"slow down"}}')
  })
  expect(await ask('unlisted')).toBe(429)
  await gateway.admin.call('POST', '/admin/models', {
    id: 'nowhere',
    weights: { input: 1, cache_read: 1, cache_write: 1, output: 1 },
    routes: [],
  })
  const { resting_routes: resting, models_without_route: lost } = await read()
  expect(resting).toMatchObject([
    {
      model: 'unlisted',
      provider: 'unlisted upstream 0',
      upstream_model: 'upstream-model',
      reason: 'throttled',
    },
  ])
  expect(lost).toEqual(['nowhere'])
})

test('a span of another time holds nothing, and one that is none is refused', async () => {
  const { earned, upstream_cost: cost } = await read('?from=2020-01-01&to=2020-01-02')
  expect([earned.credits, cost.usd, cost.priced_requests]).toEqual([0, '0', 0])
  await expect(read('?from=2026-01-02&to=2026-01-01')).rejects.toThrow('400')
})
