import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  ADMINISTRATOR,
  acceptedValue,
  addProvider,
  giveFreshNodes,
  type Node,
  type TemporaryStorage,
} from './catalog.fixture.ts'

let store: TemporaryStorage
let node: Node
giveFreshNodes(fresh => {
  ;({ store, node } = fresh)
})

const BASE = { name: 'upstream', kind: 'openai', base_url: 'http://127.0.0.1:9000/v1' } as const
const SECRET = 'sk-very-secret-value-1234567890'

describe('the secrets of a provider', () => {
  test('stand in no record, no audit entry and nowhere in the files of the store', async () => {
    const headers = { 'x-api-key': 'header-secret-value' }
    const made = acceptedValue(
      await node.providers.create({ ...BASE, credential: SECRET, headers }, ADMINISTRATOR),
    )
    const second = 'sk-another-secret-value'
    const patched = acceptedValue(await node.providers.patch(made.id, { credential: second }, ADMINISTRATOR))
    acceptedValue(await node.providers.delete(made.id, ADMINISTRATOR))
    acceptedValue(await node.providers.create({ ...BASE, credential: SECRET, headers }, ADMINISTRATOR))
    const audited = await node.audit.list({ limit: 100, after: null })
    expect(audited.items.map(entry => entry.action)).toEqual([
      'provider.create',
      'provider.delete',
      'provider.update',
      'provider.create',
    ])
    expect(audited.items[2]?.after).toMatchObject({ credential_replaced: true })
    const files = await readdir(store.folder)
    const stored = await Promise.all(files.map(file => readFile(join(store.folder, file), 'latin1')))
    expect(stored.join('')).toContain(made.id)
    const everything = [JSON.stringify([made, patched, audited]), ...stored].join('\n')
    for (const secret of [SECRET, second, 'header-secret-value']) expect(everything).not.toContain(secret)
  })

  test('do not open in the row of another provider', async () => {
    const made = acceptedValue(await node.providers.create({ ...BASE, credential: SECRET }, ADMINISTRATOR))
    const other = await addProvider(node, 'other')
    const row = await store.storage.db
      .selectFrom('providers')
      .select('credential_ciphertext')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    await store.storage.commit([
      { query: store.storage.db.updateTable('providers').set(row).where('id', '=', other.id) },
    ])
    expect(await node.providers.findCallable(other.id)).toBe('unreadable')
  })
})
