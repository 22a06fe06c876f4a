import { refusals } from '#contract/errors.ts'
import type { AskedEndpoint } from '#gateway/generation-request.ts'
import type { Attempt, Provider } from './provider.ts'

/** A kind of upstream that answers each endpoint in its own way, and refuses those it has no way for. */
export function createProviderByEndpoint(ways: Readonly<Partial<Record<AskedEndpoint, Provider>>>): Provider {
  return {
    attempt(call): Attempt {
      const { endpoint, model } = call.request
      return ways[endpoint]?.attempt(call) ?? refuse(endpoint, model)
    },
    close: async () => {
      await Promise.all([...new Set(Object.values(ways))].map(way => way.close()))
    },
  }
}

function refuse(endpoint: AskedEndpoint, model: string): Attempt {
  const error = refusals.modelNotSupported(model, endpoint)
  const failure = { error, tryElsewhere: true, wasNotAsked: true, detail: error.message } as const
  return { outcome: Promise.resolve({ kind: 'failed', failure }), abort: () => {} }
}
