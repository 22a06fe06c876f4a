import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderHealth } from '#contract/provider-health.ts'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import { createHealthRecorder } from '#domains/provider-health/health-recorder.ts'
import { listIllProviders } from '#domains/provider-health/ill-providers.ts'
import { createReadHealth } from '#domains/provider-health/read-health.ts'
import { PROVIDER, routeOf } from '#gateway/routing/routes.fixture.ts'
import type { Storage } from '#storage/storage.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-11-21T08:02:00Z')

describe.each(ENGINES)('the history of providers on $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage
  let nowMs = START
  let made = 0
  let route: CatalogRoute
  const clock = { now: () => nowMs, monotonicMs: () => nowMs }

  beforeAll(async () => {
    opened = await open()
    storage = opened.storage
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    nowMs = START
    route = await newRoute()
  })

  async function newRoute(): Promise<CatalogRoute> {
    const id = `prv_of_history_${++made}`
    const provider = { id, name: id, kind: 'openai', base_url: 'http://127.0.0.1/v1', enabled: 1 } as const
    const nothing = {
      credential_ciphertext: null,
      further_credentials_ciphertext: null,
      headers_ciphertext: null,
      connect_timeout_ms: null,
      first_byte_timeout_ms: null,
      idle_timeout_ms: null,
      endpoints_json: null,
      created_at: START,
    }
    await storage.commit([{ query: storage.db.insertInto('providers').values({ ...provider, ...nothing }) }])
    return routeOf('model-a', { provider: { ...PROVIDER, id } })
  }

  async function read(query: Partial<Parameters<ReturnType<typeof createReadHealth>>[1]> = {}) {
    const outcome = await createReadHealth({ storage, clock })(route.provider.id, {
      bucket: 'five_minutes',
      ...query,
    })
    if (!outcome.ok) throw new Error(outcome.refusal.message)
    return outcome.value
  }

  const attemptsOf = ({ data }: ProviderHealth) =>
    data.map(({ from, attempts }) => [from.slice(0, 16), attempts])

  test('what several nodes count at once adds up, and none loses what another wrote', async () => {
    const nodes = [1, 2, 3].map(() => createHealthRecorder({ storage, clock }))
    for (let round = 0; round < 5; round++) {
      for (const node of nodes) node.noteAttempt(route, round === 0 ? 'throttled' : 'answered')
      await Promise.all(nodes.map(node => node.flush()))
    }
    await Promise.all(nodes.map(node => node.close()))
    expect(await read()).toMatchObject({
      totals: { attempts: 15, answered: 12, failures: { throttled: 3, failed: 0 } },
      models: [{ upstream_model: 'model-a', attempts: 15 }],
      data: [{ from: '2026-11-21T08:00:00.000Z', to: '2026-11-21T08:05:00.000Z', attempts: 15 }],
    })
  })

  test('each span has sums of its own, of which none counts twice', async () => {
    const node = createHealthRecorder({ storage, clock })
    for (const aheadMs of [0, 4 * MINUTE, HOUR, DAY]) {
      nowMs = START + aheadMs
      node.noteAttempt(route, 'answered')
      await node.flush()
    }
    await node.close()
    const [from, to] = ['2026-11-20T00:00:00Z', '2026-11-23T00:00:00Z']
    expect(attemptsOf(await read({ from: '2026-11-21', to: '2026-11-22' }))).toEqual([
      ['2026-11-21T08:00', 1],
      ['2026-11-21T08:05', 1],
      ['2026-11-21T09:00', 1],
    ])
    expect(attemptsOf(await read({ bucket: 'hour', from, to }))).toEqual([
      ['2026-11-21T08:00', 2],
      ['2026-11-21T09:00', 1],
      ['2026-11-22T08:00', 1],
    ])
    expect(attemptsOf(await read({ bucket: 'day', from, to }))).toEqual([
      ['2026-11-21T00:00', 3],
      ['2026-11-22T00:00', 1],
    ])
  })

  test('sums are kept as long as their span says, and the longer ones stay', async () => {
    const node = createHealthRecorder({ storage, clock })
    node.noteAttempt(route, 'failed')
    await node.flush()
    nowMs = START + 3 * DAY
    await node.deleteExpired()
    await node.close()
    const span = { from: '2026-11-21', to: '2026-11-22' }
    expect((await read(span)).data).toEqual([])
    expect((await read({ ...span, bucket: 'hour' })).totals.attempts).toBe(1)
  })

  test('a store that does not take the counts gets them the next time, in the span they belong to', async () => {
    let isAway = true
    const commit: Storage['commit'] = statements =>
      isAway ? Promise.reject(new Error('away')) : storage.commit(statements)
    const node = createHealthRecorder({ storage: { ...storage, commit }, clock })
    node.noteAttempt(route, 'timed_out')
    node.noteRest(route, 2_000)
    await expect(node.flush()).rejects.toThrow('away')
    isAway = false
    nowMs += 10 * MINUTE
    node.noteAttempt(route, 'answered')
    await node.close()
    const health = await read()
    expect(attemptsOf(health)).toEqual([
      ['2026-11-21T08:00', 1],
      ['2026-11-21T08:10', 1],
    ])
    expect(health.totals).toMatchObject({ rests: 1, rest_seconds: 2, failures: { timed_out: 1 } })
  })

  test.each([
    ['three of ten failed', 7, 3, true],
    ['two of two failed', 0, 2, false],
    ['three of twenty failed', 17, 3, false],
  ])('whether a provider is ill: %s', async (_name, answered, failed, isIll) => {
    const node = createHealthRecorder({ storage, clock })
    for (let count = 0; count < answered; count++) node.noteAttempt(route, 'answered')
    for (let count = 0; count < failed; count++) node.noteAttempt(route, 'failed')
    await node.close()
    const ids = async () => (await listIllProviders({ storage, clock })).map(({ provider_id }) => provider_id)
    expect((await ids()).includes(route.provider.id)).toBe(isIll)
    nowMs += 11 * MINUTE
    expect(await ids()).not.toContain(route.provider.id)
  })

  test('a provider that is unknown, and a span with too many buckets, are refused', async () => {
    const readHealth = createReadHealth({ storage, clock })
    const refusalOf = async (id: string, from: string) => {
      const outcome = await readHealth(id, { bucket: 'five_minutes', from, to: '2026-11-21' })
      return outcome.ok ? null : outcome.refusal.status
    }
    expect(await refusalOf('prv_nobody', '2026-11-20')).toBe(404)
    expect(await refusalOf(route.provider.id, '2026-10-01')).toBe(400)
    expect(await refusalOf(route.provider.id, '2026-11-22')).toBe(400)
  })
})
