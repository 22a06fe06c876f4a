import { refusals } from '#contract/errors.ts'
import type { AskedEndpoint } from '#gateway/generation-request.ts'
import type { Attempt, Provider } from './provider.ts'

type Ways = Readonly<Partial<Record<AskedEndpoint, Provider>>>

/**
 * A kind whose servers differ in what they serve: chat always, and of the rest what the catalogue says. What a server
 * does not serve itself is translated to chat, if it can be.
 */
export function createProviderByServer(passed: Ways, translated: Ways): Provider {
  const all = createProviderByEndpoint({ ...translated, ...passed })
  const overChat = createProviderByEndpoint({ ...translated, chat: undefined })
  return {
    attempt(call): Attempt {
      const { endpoints } = call.route.provider
      const { endpoint, model } = call.request
      if (endpoints === null || endpoints.has(endpoint)) return all.attempt(call)
      return endpoints.has('chat') ? overChat.attempt(call) : refuse(endpoint, model)
    },
    close: () => all.close(),
  }
}

/** A kind of upstream that answers each endpoint in its own way, and refuses those it has no way for. */
export function createProviderByEndpoint(ways: Ways): Provider {
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
