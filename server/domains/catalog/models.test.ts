import { describe, expect, test } from 'vitest'
import {
  ADMINISTRATOR,
  acceptedValue,
  addProvider,
  giveFreshNodes,
  givenRefusal,
  type Node,
  PRICED,
  type TemporaryStorage,
} from './catalog.fixture.ts'
import type { ModelPatch } from './model-change.ts'

let store: TemporaryStorage
let node: Node
giveFreshNodes(fresh => {
  ;({ store, node } = fresh)
})

describe('a new model', () => {
  test('of which only the id is said follows the defaults, and is not enabled', async () => {
    const made = acceptedValue(await node.models.create({ id: 'vendor/model' }, ADMINISTRATOR))
    expect(made).toMatchObject({
      id: 'vendor/model',
      object: 'model',
      name: 'vendor/model',
      description: null,
      owned_by: 'goldweight',
      context_window: null,
      max_output_tokens: null,
      modalities: { input: ['text'], output: ['text'] },
      capabilities: [],
      endpoints: ['chat'],
      weights: null,
      routes: [],
      enabled: false,
      deprecated: false,
    })
    expect(await node.models.find('vendor/model')).toEqual(made)
  })

  test('is enabled when it has weights, unless it says otherwise', async () => {
    const enabled = await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR)
    expect(acceptedValue(enabled).enabled).toBe(true)
    const disabled = await node.models.create({ id: 'b', weights: PRICED, enabled: false }, ADMINISTRATOR)
    expect(acceptedValue(disabled).enabled).toBe(false)
  })

  test('can not be enabled without weights', async () => {
    for (const weights of [undefined, null]) {
      const refusal = givenRefusal(
        await node.models.create({ id: 'a', weights, enabled: true }, ADMINISTRATOR),
      )
      expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('enabled') })
    }
    expect(await node.models.find('a')).toBeNull()
  })

  test('may be free: weights of 0 are weights', async () => {
    const weights = { input: 0, cache_read: 0, cache_write: 0, output: 0 }
    expect(acceptedValue(await node.models.create({ id: 'a', weights }, ADMINISTRATOR))).toMatchObject({
      weights,
      enabled: true,
    })
  })

  test.each([
    ['input', -1],
    ['cache_read', 0.0000000000001],
    ['cache_write', Number.NaN],
    ['output', Number.POSITIVE_INFINITY],
    ['output', 1e10],
  ] as const)('can not weigh its %s tokens with %d', async (name, weight) => {
    const outcome = await node.models.create(
      { id: 'a', weights: { ...PRICED, [name]: weight } },
      ADMINISTRATOR,
    )
    expect(givenRefusal(outcome)).toMatchObject({
      status: 400,
      message: expect.stringContaining(`weights.${name}`),
    })
  })

  test('shows the very weights that it was given, and stores them as decimal text', async () => {
    const weights = { input: 0.1, cache_read: 1e-12, cache_write: 123456.7890123, output: 1e9 }
    expect(acceptedValue(await node.models.create({ id: 'a', weights }, ADMINISTRATOR)).weights).toEqual(
      weights,
    )
    const row = await store.storage.db.selectFrom('models').select('weights_json').executeTakeFirstOrThrow()
    expect(row.weights_json).toBe(
      `{"input":"0.1","cache_read":"0.000000000001","cache_write":"${weights.cache_write}","output":"1000000000"}`,
    )
  })

  test('can not have a route to a provider that does not exist, and the refusal names the field', async () => {
    const provider = await addProvider(node)
    const routes = [
      { provider_id: provider.id, upstream_model: 'm' },
      { provider_id: 'prv_none', upstream_model: 'm' },
    ]
    const refusal = givenRefusal(await node.models.create({ id: 'a', routes }, ADMINISTRATOR))
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('routes.1.provider_id') })
    expect(await node.models.find('a')).toBeNull()
  })

  test('of one id is made once, however many ask at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR)),
    )
    expect(outcomes.filter(outcome => outcome.ok)).toHaveLength(1)
    for (const outcome of outcomes) if (!outcome.ok) expect(outcome.refusal.status).toBe(409)
    const { items } = await node.audit.list({ limit: 100, after: null })
    expect(items).toHaveLength(1)
  })
})

describe('a patch of a model', () => {
  test('changes what it names and nothing else, and the log shows both sides', async () => {
    const made = acceptedValue(
      await node.models.create({ id: 'a', weights: PRICED, name: 'A' }, ADMINISTRATOR),
    )
    const patched = acceptedValue(
      await node.models.patch('a', { description: 'new', deprecated: true }, ADMINISTRATOR),
    )
    expect(patched).toEqual({ ...made, description: 'new', deprecated: true })
    const [entry] = (await node.audit.list({ limit: 1, after: null })).items
    expect(entry).toMatchObject({
      action: 'model.update',
      actor: ADMINISTRATOR,
      target: { type: 'model', id: 'a' },
      before: made,
      after: patched,
    })
  })

  test('puts all its routes in the place of all that there were', async () => {
    const provider = await addProvider(node)
    const route = { provider_id: provider.id, upstream_model: 'one' }
    acceptedValue(
      await node.models.create({ id: 'a', routes: [route, { ...route, priority: 1 }] }, ADMINISTRATOR),
    )
    const routes = [
      { ...route, upstream_model: 'late', priority: 5 },
      { ...route, upstream_model: 'early', priority: 0, weight: 3 },
    ]
    const patched = acceptedValue(await node.models.patch('a', { routes }, ADMINISTRATOR))
    expect(patched.routes).toMatchObject([
      { upstream_model: 'late', priority: 5, weight: 1 },
      { upstream_model: 'early', priority: 0, weight: 3 },
    ])
    expect(await node.models.find('a')).toEqual(patched)
    expect(acceptedValue(await node.models.patch('a', { name: 'n' }, ADMINISTRATOR)).routes).toEqual(
      patched.routes,
    )
    expect(acceptedValue(await node.models.patch('a', { routes: [] }, ADMINISTRATOR)).routes).toEqual([])
  })

  test('begins with the routes that the one before it left, whatever comes at once', async () => {
    const provider = await addProvider(node)
    const routesTo = (upstream_model: string) => [{ provider_id: provider.id, upstream_model }]
    acceptedValue(await node.models.create({ id: 'a', routes: routesTo('first') }, ADMINISTRATOR))
    const patches = ['one', 'two', 'three'].map(name => ({ routes: routesTo(name) }))
    const outcomes = await Promise.all(patches.map(patch => node.models.patch('a', patch, ADMINISTRATOR)))
    outcomes.map(acceptedValue)
    const updates = (await node.audit.list({ limit: 100, after: null })).items.filter(
      entry => entry.action === 'model.update',
    )
    const replaced = updates.map(({ before }) => JSON.stringify(before))
    expect(new Set(replaced).size).toBe(patches.length)
  })

  test('that says what it is based on is refused when that was changed meanwhile, and made when it was not', async () => {
    const provider = await addProvider(node)
    const routes = [{ provider_id: provider.id, upstream_model: 'm' }]
    const tiers = [5, 10].map(above_input_tokens => ({ above_input_tokens, weights: PRICED }))
    const given = { id: 'a', routes, weights: { ...PRICED, tiers }, unit_weights: { image: 3 } }
    const read = acceptedValue(await node.models.create(given, ADMINISTRATOR))
    const patch = (body: ModelPatch) => node.models.patch('a', body, ADMINISTRATOR)
    const based_on = { weights: read.weights, unit_weights: read.unit_weights, routes: read.routes }
    // In any order of tiers, and whatever else changed.
    acceptedValue(await patch({ name: 'Other', based_on: { weights: given.weights } }))
    acceptedValue(await patch({ unit_weights: { image: 4 }, based_on }))
    for (const basis of [
      based_on,
      { unit_weights: null },
      { weights: null },
      { weights: PRICED },
      { routes: [] },
    ])
      expect(givenRefusal(await patch({ weights: PRICED, based_on: basis }))).toMatchObject({
        status: 409,
        type: 'conflict_error',
        message: expect.stringMatching(/^(weights|unit_weights|routes): changed since/),
      })
    expect(await node.models.find('a')).toMatchObject({ weights: read.weights, unit_weights: { image: 4 } })
    const moved = [{ ...routes[0], provider_id: provider.id, upstream_model: 'm', cost: 2 }]
    acceptedValue(await patch({ routes: moved, based_on: { routes: read.routes } }))
    expect(givenRefusal(await patch({ routes: [], based_on: { routes: read.routes } })).status).toBe(409)
    acceptedValue(await patch({ routes: [], based_on: { routes: moved } }))
    acceptedValue(await patch({ unit_weights: null, based_on: { unit_weights: { image: 4 } } }))
    acceptedValue(await patch({ weights: PRICED }))
  })

  test('of many that are based on the same weights, one is made, however close they come', async () => {
    acceptedValue(await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR))
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        node.models.patch(
          'a',
          { weights: { ...PRICED, output: 20 + index }, based_on: { weights: PRICED } },
          ADMINISTRATOR,
        ),
      ),
    )
    expect(outcomes.filter(outcome => outcome.ok)).toHaveLength(1)
    for (const outcome of outcomes)
      if (!outcome.ok) expect(outcome.refusal.message).toMatch(/^weights: changed/)
  })

  test('that is refused leaves the routes as they were', async () => {
    const provider = await addProvider(node)
    const routes = [{ provider_id: provider.id, upstream_model: 'm' }]
    const made = acceptedValue(await node.models.create({ id: 'a', routes }, ADMINISTRATOR))
    const refusal = givenRefusal(
      await node.models.patch('a', { routes: [{ provider_id: 'x', upstream_model: 'm' }] }, ADMINISTRATOR),
    )
    expect(refusal.status).toBe(400)
    expect(await node.models.find('a')).toEqual(made)
  })

  test('that takes the weights away takes the model out of service', async () => {
    acceptedValue(await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR))
    const refusal = givenRefusal(
      await node.models.patch('a', { weights: null, enabled: true }, ADMINISTRATOR),
    )
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('enabled') })
    expect((await node.models.find('a'))?.enabled).toBe(true)
    const patched = acceptedValue(await node.models.patch('a', { weights: null }, ADMINISTRATOR))
    expect(patched).toMatchObject({ weights: null, enabled: false })
    expect(givenRefusal(await node.models.patch('a', { enabled: true }, ADMINISTRATOR)).status).toBe(400)
    const again = acceptedValue(
      await node.models.patch('a', { weights: PRICED, enabled: true }, ADMINISTRATOR),
    )
    expect(again).toMatchObject({ weights: PRICED, enabled: true })
  })

  test('never leaves a model enabled without weights, whatever comes at once', async () => {
    acceptedValue(await node.models.create({ id: 'a', weights: PRICED, enabled: false }, ADMINISTRATOR))
    await Promise.all([
      node.models.patch('a', { enabled: true }, ADMINISTRATOR),
      node.models.patch('a', { weights: null }, ADMINISTRATOR),
      node.models.patch('a', { enabled: true }, ADMINISTRATOR),
    ])
    expect(await node.models.find('a')).toMatchObject({ weights: null, enabled: false })
  })
})

test('a model is deleted once, with its routes', async () => {
  const provider = await addProvider(node)
  const routes = [{ provider_id: provider.id, upstream_model: 'm' }]
  acceptedValue(await node.models.create({ id: 'a', routes }, ADMINISTRATOR))
  acceptedValue(await node.models.delete('a', ADMINISTRATOR))
  expect(givenRefusal(await node.models.delete('a', ADMINISTRATOR)).status).toBe(404)
  expect(givenRefusal(await node.models.patch('a', {}, ADMINISTRATOR)).status).toBe(404)
  expect(await store.storage.db.selectFrom('model_routes').selectAll().execute()).toEqual([])
})

test('models are listed newest first, a page at a time, and one that is deleted meanwhile shifts nothing', async () => {
  for (const id of ['z/1', 'A/2', 'm:3', 'b/4', 'c+5']) {
    acceptedValue(await node.models.create({ id }, ADMINISTRATOR))
  }
  const first = await node.models.list({ limit: 2, after: null })
  expect(first.items.map(model => model.id)).toEqual(['c+5', 'b/4'])
  acceptedValue(await node.models.delete('b/4', ADMINISTRATOR))
  const second = await node.models.list({ limit: 2, after: first.next })
  expect(second.items.map(model => model.id)).toEqual(['m:3', 'A/2'])
  const third = await node.models.list({ limit: 2, after: second.next })
  expect(third).toMatchObject({ items: [{ id: 'z/1' }], next: null })
})

test('every change of weights is on the audit log with its date, and the log can be narrowed down to one model', async () => {
  await node.models.create({ id: 'other', weights: PRICED }, ADMINISTRATOR)
  acceptedValue(await node.models.create({ id: 'vendor/a', weights: PRICED }, ADMINISTRATOR))
  const heavier = { ...PRICED, output: 20 }
  acceptedValue(await node.models.patch('vendor/a', { weights: heavier }, ADMINISTRATOR))
  const page = { limit: 10, after: null }
  const history = await node.audit.list(page, { targetType: 'model', targetId: 'vendor/a' })
  expect(history.items).toMatchObject([
    { action: 'model.update', before: { weights: PRICED }, after: { weights: heavier } },
    { action: 'model.create', after: { weights: PRICED } },
  ])
  const [change, creation] = history.items
  expect((await node.audit.list(page, { action: 'model.update' })).items).toEqual([change])
  expect((await node.audit.list(page, { actorId: 'adm_none' })).items).toEqual([])
  const since = await node.audit.list(page, { targetId: 'vendor/a', from: change?.created_at })
  expect(since.items).toEqual([change])
  const before = await node.audit.list(page, { targetId: 'vendor/a', to: change?.created_at })
  expect(before.items).toEqual([creation])
})
