import type { EndpointName } from '#contract/usage.ts'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { GenerationRequest } from '#gateway/generation-request.ts'
import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import type { Attempt, AttemptOutcome, Provider, ProviderCall } from '#gateway/providers/provider.ts'
import type { Transport, TransportRequest } from '#gateway/providers/transport.ts'
import { type Edit, splicePieces } from '#lib/json-scan.ts'
import { OpenaiExchange } from './openai-exchange.ts'

const PATHS: Readonly<Record<EndpointName, string>> = {
  chat: '/chat/completions',
  embeddings: '/embeddings',
}

/** Any OpenAI-compatible server, reached over the given transport: bytes pass through, few edits are spliced in. */
export function createOpenaiProvider(parts: {
  readonly transport: Transport
  readonly offThread: OffThread
}): Provider {
  return {
    attempt(call: ProviderCall): Attempt {
      const { promise: outcome, resolve } = Promise.withResolvers<AttemptOutcome>()
      const exchange = new OpenaiExchange({ call, offThread: parts.offThread, resolve })
      exchange.begin(parts.transport.send(toTransportRequest(call), exchange))
      return { outcome, abort: () => exchange.cancel() }
    },
    close: () => parts.transport.close(),
  }
}

function toTransportRequest({ request, route, requestId }: ProviderCall): TransportRequest {
  const { provider } = route
  return {
    method: 'POST',
    url: provider.baseUrl + PATHS[request.endpoint],
    headers: {
      'content-type': 'application/json',
      accept: request.stream ? 'text/event-stream' : 'application/json',
      // The bytes are read on their way, so they must come as they are.
      'accept-encoding': 'identity',
      'user-agent': 'goldweight',
      'x-request-id': requestId,
      ...(provider.credential === null ? {} : { authorization: `Bearer ${provider.credential}` }),
      ...provider.headers,
    },
    body: upstreamBody(request, route),
    timeouts: provider.timeouts,
  }
}

/** The client's bytes with the upstream's name of the model, and the wish for usage where a stream lacks it. */
function upstreamBody(request: GenerationRequest, route: CatalogRoute): Buffer[] {
  const edits: Edit[] = []
  if (request.model !== route.upstreamModel) {
    edits.push({ ...request.modelSpan, text: JSON.stringify(route.upstreamModel) })
  }
  if (request.usageEdit) edits.push(request.usageEdit)
  return splicePieces(request.bytes, edits)
}
