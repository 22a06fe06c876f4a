import type { PublishedCatalog, PublishedModel } from '#domains/catalog/published.ts'

/** An enabled model of the public catalogue under its id. */
export function model(id: string, more: Partial<PublishedModel> = {}): [string, PublishedModel] {
  const entry: PublishedModel['entry'] = {
    id,
    object: 'catalog_entry',
    name: id,
    description: null,
    owned_by: 'vendor',
    created: 1_790_000_000,
    context_window: 0,
    max_output_tokens: null,
    modalities: { input: ['text'], output: ['text'] },
    capabilities: ['tools'],
    endpoints: ['chat'],
    unit_weights: null,
    weights: { input: 1, cache_read: 0, cache_write: 2, output: 3.5 },
  }
  return [id, { entry, deprecated: false, routed: true, ...more }]
}

/** One model of each status, and a package. */
export const CATALOG: PublishedCatalog = {
  models: new Map([
    model('a'),
    model('old', { deprecated: true }),
    model('vendor/model:1'),
    model('x', { routed: false }),
  ]),
  packages: [
    { id: 'pkg_1', object: 'package', name: 'Small', credits: 10, price: { amount: 1000, currency: 'EUR' } },
  ],
}
