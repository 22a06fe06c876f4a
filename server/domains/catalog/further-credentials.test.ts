/** Several credentials of one provider: kept as secret as the first, and used in turns. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  ADMINISTRATOR,
  acceptedValue,
  giveFreshNodes,
  givenRefusal,
  type Node,
  PRICED,
  type TemporaryStorage,
} from './catalog.fixture.ts'

let store: TemporaryStorage
let node: Node
giveFreshNodes(fresh => {
  ;({ store, node } = fresh)
})

const BASE = { name: 'upstream', kind: 'openai', base_url: 'http://127.0.0.1:9000/v1' } as const
const FIRST = 'sk-first-secret-value-12345'
const SECOND = 'sk-second-secret-value-12345'
const THIRD = 'sk-third-secret-value-12345'

async function make(change: object) {
  return acceptedValue(await node.providers.create({ ...BASE, ...change }, ADMINISTRATOR))
}

/** The credentials with which a model on this provider is called, and the share of each. */
async function calledWith(providerId: string): Promise<[string | null, number][]> {
  const routes = [{ provider_id: providerId, upstream_model: 'm', weight: 6 }]
  acceptedValue(await node.models.create({ id: 'model', weights: PRICED, routes }, ADMINISTRATOR))
  const all = node.catalog.current().models.get('model')?.routes ?? []
  expect(new Set(all.map(({ routeId }) => routeId)).size).toBe(1)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(new Set(all.map(({ provider }) => provider.credentialId)).size).toBe(all.length)
  return all.map(({ provider, weight }) => [provider.credential, weight])
}

test('share the weight of a route with the first one', async () => {
  const { id } = await make({
    credential: FIRST,
    further_credentials: [
      { name: 'b', credential: SECOND },
      { name: 'c', credential: THIRD },
    ],
  })
  expect(await calledWith(id)).toEqual([
    [FIRST, 2],
    [SECOND, 2],
    [THIRD, 2],
  ])
})

test('are all that is used where there is no first one', async () => {
  const { id } = await make({ further_credentials: [{ name: 'b', credential: SECOND }] })
  expect(await calledWith(id)).toEqual([[SECOND, 6]])
})

test('are shown by their names alone, and stand nowhere in the clear', async () => {
  const made = await make({ credential: FIRST, further_credentials: [{ name: 'b', credential: SECOND }] })
  expect(made.further_credentials).toEqual([{ name: 'b' }])
  const further = [{ name: 'b' }, { name: 'c', credential: THIRD }]
  acceptedValue(await node.providers.patch(made.id, { further_credentials: further }, ADMINISTRATOR))
  const audited = await node.audit.list({ limit: 100, after: null })
  expect(audited.items[0]?.after).toMatchObject({
    credential_replaced: true,
    further_credentials: [{ name: 'b' }, { name: 'c' }],
  })
  const files = await readdir(store.folder)
  const stored = await Promise.all(files.map(file => readFile(join(store.folder, file), 'latin1')))
  const everything = [JSON.stringify([made, audited]), ...stored].join('\n')
  for (const secret of [FIRST, SECOND, THIRD]) expect(everything).not.toContain(secret)
})

test('are kept by their names, and gone when they are not named', async () => {
  const { id } = await make({
    further_credentials: [
      { name: 'b', credential: SECOND },
      { name: 'c', credential: THIRD },
    ],
  })
  acceptedValue(
    await node.providers.patch(id, { further_credentials: [{ name: 'c' }], name: 'other' }, ADMINISTRATOR),
  )
  expect(await calledWith(id)).toEqual([[THIRD, 6]])
})

test.each([
  [[{ name: 'b' }], 'further_credentials.0.credential: there is none to keep under this name'],
  [
    [
      { name: 'b', credential: SECOND },
      { name: 'b', credential: THIRD },
    ],
    'further_credentials.1.name: stands twice',
  ],
  [
    [{ name: 'b', credential: { key: THIRD } }],
    'further_credentials.0.credential: a provider of kind openai takes a key alone',
  ],
])('are refused with the field that is wrong: %j', async (further_credentials, message) => {
  const refused = await node.providers.create({ ...BASE, further_credentials }, ADMINISTRATOR)
  expect(givenRefusal(refused).message).toBe(message)
})

test('what a server serves can be said of OpenAI-compatible kinds alone', async () => {
  const made = await make({ endpoints: ['chat', 'chat', 'embeddings'] })
  expect(made.endpoints).toEqual(['chat', 'embeddings'])
  const all = acceptedValue(await node.providers.patch(made.id, { endpoints: null }, ADMINISTRATOR))
  expect(all.endpoints).toBeNull()
  const refused = await node.providers.create(
    { ...BASE, kind: 'anthropic', endpoints: ['messages'] },
    ADMINISTRATOR,
  )
  expect(givenRefusal(refused).message).toMatch(/^endpoints: /)
})
