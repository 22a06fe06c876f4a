import type { Attempt, AttemptOutcome, Provider } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'
import type { EmbeddingEngine } from './embedding-engine.ts'
import { EmbeddingsAttempt } from './embeddings-attempt.ts'

/** The way to an upstream that makes embeddings in a protocol of its own. The transport is not closed with it. */
export function createEmbeddingsProvider(parts: {
  readonly engine: EmbeddingEngine
  readonly transport: Transport
}): Provider {
  return {
    attempt(call): Attempt {
      const { promise: outcome, resolve, reject } = Promise.withResolvers<AttemptOutcome>()
      const attempt = new EmbeddingsAttempt({ call, ...parts })
      // An attempt that was aborted never settles.
      attempt.run().then(settled => {
        if (settled !== 'aborted') resolve(settled)
      }, reject)
      return { outcome, abort: () => attempt.abort() }
    },
    close: async () => {},
  }
}
