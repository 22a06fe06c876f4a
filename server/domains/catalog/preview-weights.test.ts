import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_USAGE, toFigures } from '#domains/usage/usage-figures.ts'
import { micros } from '#lib/money.ts'
import { accepted } from '#lib/outcome.ts'
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

test('a model that there is not, and weights that can not be, are refused', async () => {
  expect(givenRefusal(await preview({ model: 'none', weights: PRICED })).status).toBe(404)
  const tiny = { ...PRICED, input: 1e-13 }
  expect(givenRefusal(await preview({ model: 'a', weights: tiny })).message).toContain('weights.input')
})
