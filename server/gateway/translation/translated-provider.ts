import type { EndpointName } from '#contract/usage.ts'
import type { Attempt, AttemptOutcome, Provider } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'
import type { TranslatedDialect } from './dialect.ts'
import { TRANSLATED_DIALECTS } from './dialects.ts'
import type { Engine } from './engine.ts'
import { TranslatedAttempt } from './translated-attempt.ts'

export type TranslatingParts = {
  readonly engine: Engine
  /** Not closed with the providers that use it. */
  readonly transport: Transport
}

/** The ways to an upstream whose protocol is none of its callers', one for each endpoint that can be translated. */
export function createTranslatedProviders(parts: TranslatingParts): Partial<Record<EndpointName, Provider>> {
  return Object.fromEntries(
    Object.entries(TRANSLATED_DIALECTS).map(([endpoint, dialect]) => [
      endpoint,
      createTranslatedProvider(dialect, parts),
    ]),
  )
}

function createTranslatedProvider(dialect: TranslatedDialect, parts: TranslatingParts): Provider {
  return {
    attempt(call): Attempt {
      const { promise: outcome, resolve, reject } = Promise.withResolvers<AttemptOutcome>()
      const attempt = new TranslatedAttempt({ call, dialect, ...parts })
      // An attempt that was aborted never settles.
      attempt.run().then(settled => {
        if (settled !== 'aborted') resolve(settled)
      }, reject)
      return { outcome, abort: () => attempt.abort() }
    },
    close: async () => {},
  }
}
