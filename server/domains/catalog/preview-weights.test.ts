import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRequestRecords } from '#domains/usage/request-records.ts'
import { NO_USAGE, toFigures } from '#domains/usage/usage-figures.ts'
import { newId } from '#lib/id.ts'
import { micros } from '#lib/money.ts'
import { accepted } from '#lib/outcome.ts'
import { insertAccount, requestOf } from '#test/storage/rows.ts'
import {
  ADMINISTRATOR,
  acceptedValue,
  givenRefusal,
  type Node,
  openNode,
  openTemporaryStorage,
  PRICED,
} from './catalog.fixture.ts'
import { createPreviewWeights, type PreviewWeights } from './preview-weights.ts'
import { readRecentRequests } from './weigh-recent.ts'

/** A month of a model: a million tokens in each bucket but the last, and three of output. */
const MONTH = toFigures({
  ...NO_USAGE,
  requests: 7,
  input_tokens: 1_000_000,
  cache_read_tokens: 1_000_000,
  cache_write_tokens: 1_000_000,
  output_tokens: 3,
  chargeMicros: micros(5_000_000n),
})

let store: Awaited<ReturnType<typeof openTemporaryStorage>>
let node: Node
let preview: PreviewWeights

beforeAll(async () => {
  store = await openTemporaryStorage()
  node = await openNode({ storage: store.storage })
  preview = createPreviewWeights({
    models: node.models,
    requests: createRequestRecords({ storage: store.storage }),
    usage: {
      report: async ({ model }) => {
        expect(model).toBe('a')
        const span = { from: '2026-10-22T00:00:00Z', to: '2026-11-21T00:00:00Z', bucket: 'day' } as const
        const rows = (async function* () {})()
        return accepted({
          object: 'list',
          ...span,
          group_by: null,
          totals: MONTH,
          groups: [],
          rows,
          next_cursor: null,
        })
      },
    },
  })
  acceptedValue(await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR))
  acceptedValue(await node.models.create({ id: 'unweighed' }, ADMINISTRATOR))
})
afterAll(async () => {
  node.catalog.close()
  await store.close()
})

test('what a month came to is told beside what it would have come to, exactly', async () => {
  const weights = { input: 5, cache_read: 0.1, cache_write: 0, output: 0.1 }
  expect(acceptedValue(await preview({ model: 'a', weights }))).toMatchObject({
    requests: 7,
    charged: 5,
    current: 5.87503,
    // Three tokens of output at 0.1 are 0.3 micro-credits, and no charge is rounded down.
    proposed: 5.100001,
    difference: -0.775029,
    leaves_out: [],
  })
})

test('what sums do not tell apart is said to be left out', async () => {
  const tiers = [{ above_input_tokens: 10, weights: { ...PRICED, cache_write_1h: 9 } }]
  const outcome = await preview({ model: 'a', weights: { ...PRICED, cache_write_1h: 5, tiers } })
  expect(acceptedValue(outcome)).toMatchObject({ difference: 0, leaves_out: ['tiers', 'cache_write_1h'] })
})

test('the newest requests on record are reckoned one by one, as they would be charged', async () => {
  const weights = { ...PRICED, cache_write_1h: 5 }
  acceptedValue(await node.models.patch('a', { weights, unit_weights: { second: 2 } }, ADMINISTRATOR))
  expect(acceptedValue(await preview({ model: 'a', weights: PRICED })).recent).toBeNull()
  const account = await insertAccount(store.storage)
  const at = Date.UTC(2026, 10, 20)
  const post = async (minute: number, row: object) => {
    const createdAt = at + minute * 60_000
    const request = {
      ...requestOf(account, 0, newId('req', createdAt)),
      model: 'a',
      created_at: createdAt,
      ...row,
    }
    await store.storage.post({ accountId: account, request, entry: null })
  }
  await post(0, { input_tokens: 1_000_000 })
  await post(1, { cache_write_tokens: 1_000_000, cache_write_1h_tokens: 400_000 })
  await post(2, { unit_json: '{"name":"second","count":3,"weight":"1"}' })
  await post(3, { status: 'failed', input_tokens: 7 })
  await post(4, { model: 'unweighed', input_tokens: 7 })
  const tiers = [{ above_input_tokens: 999_999, weights: { ...weights, input: 100 } }]
  const outcome = await preview({ model: 'a', weights: { ...weights, tiers }, unit_weights: { second: 4 } })
  expect(acceptedValue(outcome)).toMatchObject({
    leaves_out: ['tiers', 'cache_write_1h', 'units'],
    recent: {
      requests: 3,
      from: '2026-11-20T00:00:00.000Z',
      // 2.5 for the first, 0.6 of 3.125 and 0.4 of 5 for the second, three seconds of 2 for the third.
      current: 2.5 + 3.875 + 6,
      proposed: 100 + 3.875 + 12,
      difference: 103.5,
    },
  })
})

test('records of failures are not read, however many there are', async () => {
  const asked: unknown[] = []
  const readAll = async function* (search: object) {
    asked.push(search)
    yield []
  }
  await readRecentRequests({ readAll }, { model: 'a', from: '2026-11-01' })
  expect(asked).toEqual([
    { model: 'a', from: '2026-11-01', status: 'succeeded' },
    { model: 'a', from: '2026-11-01', status: 'cancelled' },
  ])
})

test('an effect is not reckoned from other weights than those that the change began with', async () => {
  const given = { model: 'unweighed', weights: PRICED }
  const outcome = await preview({ ...given, based_on: { weights: PRICED } })
  expect(givenRefusal(outcome)).toMatchObject({ status: 409, message: expect.stringContaining('weights') })
})

test('a model that there is not, and weights that can not be, are refused', async () => {
  expect(givenRefusal(await preview({ model: 'none', weights: PRICED })).status).toBe(404)
  const huge = await preview({ model: 'a', weights: PRICED, unit_weights: { image: 1e6 } })
  expect(givenRefusal(huge).message).toContain('unit_weights.image')
  const tiny = { ...PRICED, input: 1e-13 }
  expect(givenRefusal(await preview({ model: 'a', weights: tiny })).message).toContain('weights.input')
})
