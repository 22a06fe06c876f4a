import type { KnownModels } from '#domains/catalog/model-listing.ts'

/** What the demonstration upstream answers for: it echoes under any name, and this is the one to use. */
export const DEMO_MODELS: KnownModels = {
  known: [
    {
      upstreamModel: 'echo',
      name: 'Demonstration echo',
      description: 'Says back what it is told. Runs inside the gateway and needs no network.',
      contextWindow: 8_192,
      endpoints: ['chat'],
    },
  ],
}
