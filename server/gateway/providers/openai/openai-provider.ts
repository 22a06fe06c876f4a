import type { EndpointName } from '#contract/usage.ts'
import type { CatalogProvider, CatalogRoute } from '#domains/catalog/snapshot.ts'
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

/** What is the same for every request to a provider; worked out once for each that the catalogue names. */
type Address = {
  readonly origin: string
  readonly paths: Readonly<Record<EndpointName, string>>
  readonly headers: readonly string[]
}

const addresses = new WeakMap<CatalogProvider, Address>()

function addressOf(provider: CatalogProvider): Address {
  const known = addresses.get(provider)
  if (known) return known
  const { origin, pathname } = new URL(provider.baseUrl)
  const base = pathname.replace(/\/$/, '')
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    // The bytes are read on their way, so they must come as they are.
    'accept-encoding': 'identity',
    'user-agent': 'goldweight',
    ...(provider.credential === null ? {} : { authorization: `Bearer ${provider.credential}` }),
    ...provider.headers,
  }
  const address = {
    origin,
    paths: { chat: base + PATHS.chat, embeddings: base + PATHS.embeddings },
    headers: Object.entries(headers).flat(),
  }
  addresses.set(provider, address)
  return address
}

function toTransportRequest({ request, route, requestId }: ProviderCall): TransportRequest {
  const { origin, paths, headers } = addressOf(route.provider)
  return {
    origin,
    path: paths[request.endpoint],
    headers: request.stream
      ? [...headers, 'x-request-id', requestId, 'accept', 'text/event-stream']
      : [...headers, 'x-request-id', requestId],
    requestId,
    body: upstreamBody(request, route),
    timeouts: route.provider.timeouts,
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
