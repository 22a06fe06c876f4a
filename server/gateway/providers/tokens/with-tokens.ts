import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { fromNoAnswer, NoAnswer } from '#gateway/providers/collect-answer.ts'
import type { Attempt, AttemptOutcome, Provider, ProviderCall } from '#gateway/providers/provider.ts'
import { withoutSecrets } from '#gateway/providers/upstream-error.ts'
import type { TokenKeeper } from './token-keeper.ts'

/**
 * A provider whose credential is, for some, only what a token is had by: the token stands in its place, behind the word
 * `Bearer`, before the call goes on.
 */
export function withTokens(
  inner: Provider,
  { needsToken, tokenFor }: { needsToken: (credential: string | null) => boolean; tokenFor: TokenKeeper },
): Provider {
  const dressed = new WeakMap<CatalogProvider, CatalogProvider>()

  /** The same provider with the token, and the same object for the same token: others keep what they make of it. */
  function dress(provider: CatalogProvider, token: string): CatalogProvider {
    const credential = `Bearer ${token}`
    const known = dressed.get(provider)
    if (known?.credential === credential) return known
    const made = { ...provider, credential }
    dressed.set(provider, made)
    return made
  }

  return {
    attempt(call: ProviderCall): Attempt {
      const { provider } = call.route
      if (!needsToken(provider.credential)) return inner.attempt(call)
      let attempt: Attempt | null = null
      let isAborted = false
      const outcome = tokenFor(provider).then(
        token => {
          // The outcome of an attempt that was aborted never settles.
          if (isAborted) return new Promise<AttemptOutcome>(() => {})
          attempt = inner.attempt({ ...call, route: { ...call.route, provider: dress(provider, token) } })
          return attempt.outcome
        },
        (error: unknown): AttemptOutcome => {
          if (!(error instanceof NoAnswer)) throw error
          return { kind: 'failed', failure: withoutSecrets(fromNoAnswer(error), provider) }
        },
      )
      return {
        outcome,
        abort: () => {
          isAborted = true
          attempt?.abort()
        },
      }
    },
    close: () => inner.close(),
  }
}
