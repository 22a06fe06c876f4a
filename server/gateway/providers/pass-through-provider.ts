import { refusals } from '#contract/errors.ts'
import type { EndpointName } from '#contract/usage.ts'
import type { CatalogProvider, CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { GenerationRequest } from '#gateway/generation-request.ts'
import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { type Edit, splicePieces } from '#lib/json-scan.ts'
import { passThrough } from './pass-through.ts'
import type { Attempt, AttemptOutcome, Provider, ProviderCall } from './provider.ts'
import type { Transport, TransportRequest } from './transport.ts'
import { UpstreamExchange } from './upstream-exchange.ts'

/** Upstreams that speak their callers' own protocols. */
export type PassThroughOptions = {
  readonly transport: Transport
  readonly offThread: OffThread
  /** Where below the base URL the upstream serves each of the endpoints that it serves itself. */
  readonly paths: Readonly<Partial<Record<EndpointName, string>>>
  /** How it is told who calls, in lower case. */
  readonly authorization: (credential: string) => Readonly<Record<string, string>>
  /** What it expects in every request; the operator's and the caller's headers take its place. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What is the same for every request to a provider; worked out once for each that the catalogue names. */
type Address = {
  readonly origin: string
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  /** The same headers as names and values in turns. */
  readonly headerList: readonly string[]
}

/** A provider whose bytes pass through: few edits are spliced in. */
export function createPassThroughProvider(options: PassThroughOptions): Provider {
  const { transport, offThread, paths } = options
  const addresses = new WeakMap<CatalogProvider, Address>()

  function addressOf(provider: CatalogProvider): Address {
    const known = addresses.get(provider)
    if (known) return known
    const address = toAddress(provider, options)
    addresses.set(provider, address)
    return address
  }

  return {
    attempt(call: ProviderCall): Attempt {
      const { promise: outcome, resolve } = Promise.withResolvers<AttemptOutcome>()
      const path = paths[call.request.endpoint]
      if (path === undefined) {
        resolve(notServed(call))
        return { outcome, abort: () => {} }
      }
      const exchange = new UpstreamExchange({ call, protocol: passThrough(call, offThread), resolve })
      exchange.begin(transport.send(toTransportRequest(call, addressOf(call.route.provider), path), exchange))
      return { outcome, abort: () => exchange.cancel() }
    },
    close: () => transport.close(),
  }
}

/** Another route may lead to an upstream that serves it. */
function notServed({ request: { model, endpoint } }: ProviderCall): AttemptOutcome {
  const error = refusals.modelNotSupported(model, endpoint)
  return { kind: 'failed', failure: { error, tryElsewhere: true, wasNotAsked: true, detail: error.message } }
}

function toAddress(provider: CatalogProvider, { authorization, headers = {} }: PassThroughOptions): Address {
  const { origin, pathname } = new URL(provider.baseUrl)
  const own = {
    'content-type': 'application/json',
    // The bytes are read on their way, so they must come as they are.
    'accept-encoding': 'identity',
    'user-agent': 'goldweight',
    ...headers,
    ...(provider.credential === null ? {} : authorization(provider.credential)),
    ...provider.headers,
  }
  return { origin, base: pathname.replace(/\/$/, ''), headers: own, headerList: Object.entries(own).flat() }
}

function toTransportRequest(
  { request, route, requestId }: ProviderCall,
  address: Address,
  path: string,
): TransportRequest {
  return {
    origin: address.origin,
    path: address.base + path,
    headers: requestHeaders(request, address, requestId),
    requestId,
    body: upstreamBody(request, route),
    timeouts: route.provider.timeouts,
  }
}

function requestHeaders(
  { stream, passedHeaders, contentType }: GenerationRequest,
  { headers, headerList }: Address,
  requestId: string,
): string[] {
  const accept = stream ? ['accept', 'text/event-stream'] : []
  const ofThisCall = contentType === null ? passedHeaders : ['content-type', contentType, ...passedHeaders]
  if (ofThisCall.length === 0) return [...headerList, 'x-request-id', requestId, ...accept]
  // What this call says takes the place of what is said otherwise.
  const merged = { ...headers }
  for (let at = 0; at + 1 < ofThisCall.length; at += 2)
    merged[ofThisCall[at] ?? ''] = ofThisCall[at + 1] ?? ''
  return [...Object.entries(merged).flat(), 'x-request-id', requestId, ...accept]
}

/** The client's bytes with the upstream's name of the model, and the wish for usage where a stream lacks it. */
function upstreamBody(request: GenerationRequest, route: CatalogRoute): Buffer[] {
  const edits: Edit[] = []
  if (request.model !== route.upstreamModel) {
    const { upstreamModel } = route
    // The value of a form's field is the name itself.
    const text = request.contentType === null ? JSON.stringify(upstreamModel) : upstreamModel
    edits.push({ ...request.modelSpan, text })
  }
  if (request.usageEdit) edits.push(request.usageEdit)
  return splicePieces(request.bytes, edits)
}
