/** The history of providers: every way in which an attempt can end is told apart, and so is what the circuit breaker did. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Overview } from '#contract/overview.ts'
import { type ProviderHealth, providerHealth } from '#contract/provider-health.ts'
import { makeModel, type NewRoute } from '#test/support/admin-client.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { CHAT, CHAT_PATH, type Stage, startStage } from '#test/support/stage.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import {
  answerWell,
  beginSse,
  chatChunk,
  failWith,
  startUpstream,
  type Upstream,
  type UpstreamHandler,
} from '#test/support/upstream.ts'

const clock = createTestClock()

let stage: Stage
let upstream: Upstream
let made = 0
beforeAll(async () => {
  stage = await startStage({ clock })
  upstream = await startUpstream()
})
afterAll(async () => {
  await stage.close()
  await upstream.close()
})
beforeEach(() => upstream.respond(answerWell))

async function newModel(change: Partial<NewRoute> = {}) {
  const model = `health-${++made}`
  await makeModel(stage.gateway.admin, model, { routes: [{ baseUrl: upstream.baseUrl, ...change }] })
  const { data } = await stage.gateway.admin.call<{ data: { id: string; name: string }[] }>(
    'GET',
    '/admin/providers?limit=100',
  )
  const providerId = data.find(({ name }) => name.startsWith(`${model} `))?.id ?? expect.fail('no provider')
  const ask = (stream = false) => stage.call(CHAT_PATH, { ...CHAT, model, stream })
  const read = async (query = ''): Promise<ProviderHealth> => {
    await stage.gateway.app.domains.health.flush()
    const reply = await stage.gateway.admin.call('GET', `/admin/providers/${providerId}/health${query}`)
    return providerHealth.strict().parse(reply)
  }
  return { providerId, ask, read }
}

const NO_FAILURES = {
  throttled: 0,
  timed_out: 0,
  unreachable: 0,
  credential_refused: 0,
  failed: 0,
  broke_off: 0,
}

test.each([
  ['throttled', failWith(429)],
  ['credential_refused', failWith(401)],
  ['credential_refused', failWith(403)],
  ['failed', failWith(500)],
  ['failed', (_request, response) => response.end('this is no answer')],
  ['unreachable', (_request, response) => response.socket?.destroy()],
  ['timed_out', () => {}],
] as const satisfies readonly (readonly [string, UpstreamHandler])[])(
  'an attempt that fails counts by its kind: %s (%#)',
  async (kind, handler) => {
    const { ask, read } = await newModel({ timeouts: { first_byte_ms: 200 } })
    upstream.respond(handler)
    await ask()
    const { totals, models, data } = await read()
    expect(totals).toMatchObject({ attempts: 1, answered: 0, failures: { ...NO_FAILURES, [kind]: 1 } })
    expect(models).toMatchObject([{ upstream_model: 'upstream-model', attempts: 1 }])
    expect(data.map(({ attempts }) => attempts)).toEqual([1])
  },
)

test('where nobody listens there is no connection', async () => {
  const { ask, read } = await newModel({ baseUrl: `http://127.0.0.1:${await findFreePort()}/v1` })
  expect((await ask()).status).toBe(502)
  expect((await read()).totals.failures).toEqual({ ...NO_FAILURES, unreachable: 1 })
})

test('what was answered, and what a caller brought about, speaks against nobody', async () => {
  const { ask, read } = await newModel()
  await ask()
  upstream.respond(failWith(400))
  expect((await ask()).status).toBe(400)
  expect((await read()).totals).toMatchObject({
    attempts: 2,
    answered: 1,
    rejected: 1,
    failures: NO_FAILURES,
  })
})

test('a stream that breaks off counts as one that had answered, and as broken off', async () => {
  const { ask, read } = await newModel()
  upstream.respond((_request, response) => {
    beginSse(response, [chatChunk({ content: 'Hel' })])
    setTimeout(() => response.socket?.destroy(), 50)
  })
  await ask(true)
  expect((await read()).totals).toMatchObject({
    attempts: 1,
    answered: 1,
    failures: { ...NO_FAILURES, broke_off: 1 },
  })
})

test('a route that comes to rest, is probed and recovers leaves all three in the history, and is told of while it is ill', async () => {
  const { providerId, ask, read } = await newModel()
  upstream.respond(failWith(503))
  for (let count = 0; count < 3; count++) await ask()
  expect((await read()).totals).toMatchObject({ rests: 1, rest_seconds: 2, probes: 0, recoveries: 0 })
  const { ill_providers: ill } = await stage.gateway.admin.call<Overview>('GET', '/admin/overview')
  expect(ill.find(each => each.provider_id === providerId)).toEqual({
    provider_id: providerId,
    name: `health-${made} upstream 0`,
    attempts: 3,
    failures: { ...NO_FAILURES, failed: 3 },
  })
  clock.advance(2_000)
  upstream.respond(answerWell)
  await ask()
  expect((await read('?bucket=five_minutes')).totals).toMatchObject({ rests: 1, probes: 1, recoveries: 1 })
})

test('a provider that is unknown is 404, and a span that is none 400', async () => {
  const { providerId } = await newModel()
  const read = (path: string) => stage.gateway.admin.call('GET', `/admin/providers/${path}`)
  await expect(read('prv_unknown/health')).rejects.toThrow('404')
  await expect(read(`${providerId}/health?from=2026-01-02&to=2026-01-01`)).rejects.toThrow('400')
})
