import { expect, test } from 'vitest'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { filterModels, modelFilter } from './filter-models.ts'

function model(id: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
  return {
    id,
    object: 'catalog_entry',
    name: id,
    description: null,
    owned_by: 'acme',
    created: 0,
    context_window: null,
    max_output_tokens: null,
    modalities: { input: ['text'], output: ['text'] },
    capabilities: [],
    endpoints: ['chat'],
    unit_weights: null,
    weights: { input: 1, cache_read: 1, cache_write: 1, output: 1 },
    status: 'available',
    ...more,
  }
}

const MODELS = [
  model('acme/large', { description: 'Thinks for long', capabilities: ['tools', 'vision'] }),
  model('acme/embed', { endpoints: ['embeddings'] }),
  model('other/small', { owned_by: 'other', capabilities: ['tools'] }),
]

test.each([
  [{}, ['acme/large', 'acme/embed', 'other/small']],
  [{ q: 'LARGE acme' }, ['acme/large']],
  [{ q: 'thinks' }, ['acme/large']],
  [{ q: 'acme nothing' }, []],
  [{ capability: 'tools' }, ['acme/large', 'other/small']],
  [{ capability: 'tools', q: 'other' }, ['other/small']],
  [{ endpoint: 'embeddings' }, ['acme/embed']],
])('%o finds %o', (filter, ids) => {
  expect(filterModels(MODELS, filter).map(({ id }) => id)).toEqual(ids)
})

test('an address that makes no sense asks for nothing', () => {
  expect(modelFilter.parse({ q: 5, capability: ['a'], more: true })).toEqual({})
})
