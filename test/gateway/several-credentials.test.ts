/** A provider with several credentials: used in turns, and each rests by itself. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RestingRoute } from '#contract/resting-routes.ts'
import { WEIGHTS } from '#test/support/admin-client.ts'
import { CHAT, CHAT_PATH, type Stage, startStage } from '#test/support/stage.ts'
import { answerWell, sendJson, startUpstream, type Upstream } from '#test/support/upstream.ts'

let stage: Stage
let upstream: Upstream
let made = 0
let model: string

beforeAll(async () => {
  stage = await startStage()
  upstream = await startUpstream()
})
afterAll(async () => {
  await stage.close()
  await upstream.close()
})
beforeEach(async () => {
  upstream.respond(answerWell)
  upstream.requests.length = 0
  model = `shared-${++made}`
  const { admin } = stage.gateway
  const provider = await admin.call<{ id: string }>('POST', '/admin/providers', {
    name: model,
    kind: 'openai',
    base_url: upstream.baseUrl,
    credential: 'sk-number-one',
    further_credentials: [{ name: 'two', credential: 'sk-number-two' }],
  })
  for (const id of [model, `${model}-b`]) {
    const routes = [{ provider_id: provider.id, upstream_model: 'upstream-model' }]
    await admin.call('POST', '/admin/models', { id, weights: WEIGHTS, routes })
  }
})

const call = (id = model) => stage.call(CHAT_PATH, { ...CHAT, model: id })
const usedKeys = () =>
  upstream.requests.map(({ headers }) => String(headers.authorization).replace('Bearer sk-number-', ''))

/** The first credential is turned away with this status; the second is served. */
function turnAwayOne(status: number): void {
  upstream.respond((request, response) => {
    if (request.headers.authorization !== 'Bearer sk-number-one') return answerWell(request, response)
    sendJson(response, { error: { message: 'not with sk-number-one' } }, status, { 'retry-after': '60' })
  })
}

test('both are used', async () => {
  for (let count = 0; count < 30; count++) await call()
  // To miss one of them by chance takes bad luck of one in many millions.
  expect(new Set(usedKeys())).toEqual(new Set(['one', 'two']))
})

test.each([429, 401])(
  'one that is answered %i rests, the other goes on, and calls are charged once',
  async status => {
    turnAwayOne(status)
    const before = await stage.gateway.balanceOf(stage.caller.accountId)
    for (let count = 0; count < 20; count++) expect((await call()).status).toBe(200)
    expect(before - (await stage.gateway.balanceOf(stage.caller.accountId))).toBe(20n * 70n)
    expect(usedKeys().filter(key => key === 'one')).toHaveLength(1)
    const { data } = await stage.gateway.admin.call<{ data: RestingRoute[] }>('GET', '/admin/resting-routes')
    const reason = status === 429 ? 'throttled' : 'refused'
    expect(data.filter(each => each.model === model)).toMatchObject([{ reason, credential: null }])
  },
)

test('one that is throttled for a model may still serve another; one that is refused serves none', async () => {
  for (const [status, asked] of [
    [429, 1],
    [401, 0],
  ] as const) {
    turnAwayOne(status)
    for (let count = 0; count < 20; count++) await call()
    upstream.requests.length = 0
    for (let count = 0; count < 20; count++) await call(`${model}-b`)
    expect(usedKeys().filter(key => key === 'one').length).toBe(asked)
  }
})

test('a credential that takes the place of a refused one is tried at once', async () => {
  turnAwayOne(401)
  for (let count = 0; count < 20; count++) await call()
  const { data } = await stage.gateway.admin.call<{ data: { id: string; name: string }[] }>(
    'GET',
    '/admin/providers?limit=100',
  )
  const { id } = data.find(({ name }) => name === model) ?? expect.fail('the provider is there')
  await stage.gateway.admin.call('PATCH', `/admin/providers/${id}`, { credential: 'sk-number-three' })
  for (let count = 0; count < 30; count++) await call()
  expect(usedKeys()).toContain('three')
})

test('when both are throttled, the soonest of them says when to come back', async () => {
  upstream.respond(({ headers }, response) => {
    const seconds = headers.authorization === 'Bearer sk-number-one' ? '40' : '20'
    sendJson(response, { error: { message: 'slow' } }, 429, { 'retry-after': seconds })
  })
  expect((await call()).headers.get('retry-after')).toBe('20')
  const asked = upstream.requests.length
  const answer = await call()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(18)
  expect(upstream.requests).toHaveLength(asked)
})

test('no credential reaches a caller', async () => {
  upstream.respond((request, response) =>
    sendJson(response, { error: { message: `no: ${request.headers.authorization}` } }, 400),
  )
  for (let count = 0; count < 10; count++) expect((await call()).text).not.toContain('sk-number')
})
