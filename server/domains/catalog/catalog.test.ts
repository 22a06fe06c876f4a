import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { weigh } from '#domains/billing/weights.ts'
import { createCipher } from '#lib/cipher.ts'
import { StorageUnavailable } from '#storage/storage.ts'
import {
  ADMINISTRATOR,
  acceptedValue,
  addProvider,
  giveFreshNodes,
  keepingLog,
  type Node,
  openNode,
  PRICED,
  type TemporaryStorage,
} from './catalog.fixture.ts'
import { createCatalog } from './catalog.ts'

let store: TemporaryStorage
let node: Node
giveFreshNodes(fresh => {
  ;({ store, node } = fresh)
})

async function addModel(id: string, providerId: string) {
  const routes = [
    { provider_id: providerId, upstream_model: 'second', priority: 2 },
    { provider_id: providerId, upstream_model: 'first', priority: 1, weight: 4 },
  ]
  return acceptedValue(await node.models.create({ id, weights: PRICED, routes }, ADMINISTRATOR))
}

describe('the snapshot', () => {
  test('holds a new model, its routes by priority, the moment the operation resolves', async () => {
    const provider = await addProvider(node)
    await addModel('a', provider.id)
    const model = node.catalog.current().models.get('a')
    expect(model?.routes).toMatchObject([
      { upstreamModel: 'first', priority: 1, weight: 4, provider: { credential: 'sk-plain-value' } },
      { upstreamModel: 'second', priority: 2, weight: 1 },
    ])
    // Whoever serves chat serves the other dialects of a conversation.
    expect([...(model?.endpoints ?? [])]).toEqual(['chat', 'messages', 'responses'])
    expect(JSON.parse(model?.weightsJson ?? '')).toEqual({
      input: '2.5',
      cache_read: '0.25',
      cache_write: '3.125',
      output: '10',
    })
  })

  test('that a request holds keeps its weights and routes, whatever changes after it', async () => {
    const provider = await addProvider(node)
    await addModel('a', provider.id)
    const held = node.catalog.current()
    const usage = { input: 1_000_000, cache_read: 0, cache_write: 0, output: 0 }
    acceptedValue(
      await node.models.patch('a', { weights: { ...PRICED, input: 99 }, routes: [] }, ADMINISTRATOR),
    )
    const [before, after] = [held, node.catalog.current()].map(snapshot => snapshot.models.get('a'))
    expect(before && weigh(usage, before.weights)).toBe(2_500_000n)
    expect(after && weigh(usage, after.weights)).toBe(99_000_000n)
    expect(before?.routes).toHaveLength(2)
    expect(after?.routes).toEqual([])
    acceptedValue(await node.models.delete('a', ADMINISTRATOR))
    expect(node.catalog.current().models.has('a')).toBe(false)
    expect(held.models.has('a')).toBe(true)
  })

  test('holds enabled models and routes to enabled providers alone', async () => {
    const provider = await addProvider(node)
    await addModel('a', provider.id)
    acceptedValue(await node.providers.patch(provider.id, { enabled: false }, ADMINISTRATOR))
    expect(node.catalog.current().models.get('a')?.routes).toEqual([])
    expect(node.catalog.current().published.models.get('a')?.routed).toBe(false)
    acceptedValue(await node.models.patch('a', { enabled: false }, ADMINISTRATOR))
    expect(node.catalog.current().models.size).toBe(0)
    expect(node.catalog.current().published.models.size).toBe(0)
  })

  test('is the same value as long as nothing changes', async () => {
    const provider = await addProvider(node)
    await addModel('a', provider.id)
    const held = node.catalog.current()
    await node.catalog.announce()
    expect(node.catalog.current()).toBe(held)
  })

  test('has every model when many are made at once', async () => {
    const provider = await addProvider(node)
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await addModel(`m${index}`, provider.id)
        expect(node.catalog.current().models.has(`m${index}`)).toBe(true)
      }),
    )
    expect(node.catalog.current().models.size).toBe(20)
  })
})

describe('another node', () => {
  test('hears of a change by its message', async () => {
    const other = await openNode({ storage: store.storage, changes: node.changes })
    acceptedValue(await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR))
    await vi.waitFor(() => expect(other.catalog.current().models.has('a')).toBe(true))
    other.catalog.close()
  })

  test('reads everything again when it may have missed a message', async () => {
    const other = await openNode({ storage: store.storage })
    acceptedValue(await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR))
    other.changes.publish({ kind: 'resync' })
    await vi.waitFor(() => expect(other.catalog.current().models.has('a')).toBe(true))
    other.catalog.close()
  })

  test('finds a change by itself when the message is lost, and no more after it is closed', async () => {
    const other = await openNode({ storage: store.storage, pollMs: 20 })
    acceptedValue(await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR))
    await vi.waitFor(() => expect(other.catalog.current().models.has('a')).toBe(true))
    other.catalog.close()
    acceptedValue(await node.models.create({ id: 'b', weights: PRICED }, ADMINISTRATOR))
    await sleep(100)
    expect(other.catalog.current().models.has('b')).toBe(false)
  })

  test('with another secret leaves the provider out, names it in its log, and serves all else', async () => {
    const provider = await addProvider(node, 'sealed elsewhere')
    await addModel('a', provider.id)
    acceptedValue(
      await node.providers.create(
        { name: 'open', kind: 'openai', base_url: 'http://127.0.0.1:9' },
        ADMINISTRATOR,
      ),
    )
    const { log, lines } = keepingLog()
    const other = await openNode({ storage: store.storage, secret: 'another', log })
    expect(other.catalog.current().models.get('a')?.routes).toEqual([])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('sealed elsewhere')
    expect(await other.providers.findCallable(provider.id)).toBe('unreadable')
    acceptedValue(await other.providers.patch(provider.id, { credential: 'sk-given-again' }, ADMINISTRATOR))
    expect(other.catalog.current().models.get('a')?.routes[0]?.provider.credential).toBe('sk-given-again')
    other.catalog.close()
  })
})

test('a reload that fails keeps the snapshot, says so in the log, and the next one is tried', async () => {
  acceptedValue(await node.models.create({ id: 'a', weights: PRICED }, ADMINISTRATOR))
  const { log, lines } = keepingLog()
  let cutOff = false
  const storage = {
    get db() {
      if (cutOff) throw new StorageUnavailable('the disk is gone')
      return store.storage.db
    },
  }
  const catalog = createCatalog({
    storage,
    changes: node.changes,
    cipher: createCipher('secret of the tests'),
    log,
  })
  await catalog.load()
  cutOff = true
  await catalog.announce()
  expect(catalog.current().models.has('a')).toBe(true)
  expect(lines.join()).toContain('the disk is gone')
  await expect(catalog.load()).rejects.toThrow(StorageUnavailable)
  cutOff = false
  acceptedValue(await node.models.create({ id: 'b', weights: PRICED }, ADMINISTRATOR))
  await vi.waitFor(() => expect(catalog.current().models.has('b')).toBe(true))
  catalog.close()
})
