import { refusals } from '#contract/errors.ts'
import type { CatalogProvider, CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { AskedEndpoint, GenerationRequest } from '#gateway/generation-request.ts'
import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import type { Edit } from '#lib/json-scan.ts'
import { type Piece, splice } from '#lib/pieces.ts'
import { passThrough } from './pass-through.ts'
import type { Attempt, AttemptOutcome, Provider, ProviderCall } from './provider.ts'
import type { Transport, TransportRequest } from './transport.ts'
import { UpstreamExchange } from './upstream-exchange.ts'

/** Upstreams that speak their callers' own protocols. */
export type PassThroughOptions = {
  readonly transport: Transport
  readonly offThread: OffThread
  /** Where below the base URL the upstream serves each of the endpoints that it serves itself. */
  readonly paths: Readonly<Partial<Record<AskedEndpoint, string>>>
  /** How it is told who calls, in lower case. */
  readonly authorization: (credential: string) => Readonly<Record<string, string>>
  /** What it expects in every request; the operator's and the caller's headers take its place. */
  readonly headers?: Readonly<Record<string, string>>
  /** false: streams report their usage unasked, and the wish for it is refused. */
  readonly asksForUsage?: boolean
  /** The address of a path, where it isn't just the base URL with the path behind it. */
  readonly locate?: (baseUrl: string, upstreamModel: string, path: string) => string
}

/** What is the same for every request to a provider; worked out once for each that the catalogue names. */
type Address = {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly targets: Readonly<Partial<Record<AskedEndpoint, Target>>>
}

/** What is the same for every request to one endpoint. The transport writes each list of headers out only once. */
type Target = {
  readonly path: string
  readonly plainHeaders: readonly string[]
  readonly streamHeaders: readonly string[]
}

/** A provider whose bytes pass through: few edits are spliced in. */
export function createPassThroughProvider(options: PassThroughOptions): Provider {
  const { transport, offThread } = options
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
      const address = addressOf(call.route.provider)
      const target = address.targets[call.request.endpoint]
      if (target === undefined) {
        resolve(notServed(call))
        return { outcome, abort: () => {} }
      }
      const exchange = new UpstreamExchange({ call, protocol: passThrough(call, offThread), resolve })
      exchange.begin(transport.send(toTransportRequest(call, { address, target, options }), exchange))
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

function toAddress(provider: CatalogProvider, options: PassThroughOptions): Address {
  const { origin, pathname } = new URL(provider.baseUrl)
  const { authorization, paths } = options
  const headers = {
    'content-type': 'application/json',
    // The bytes are read on their way, so they must come as they are.
    'accept-encoding': 'identity',
    'user-agent': 'goldweight',
    ...options.headers,
    ...(provider.credential === null ? {} : authorization(provider.credential)),
    ...provider.headers,
  }
  const base = pathname.replace(/\/$/, '')
  const targets = Object.entries(paths).map(([endpoint, path]) => [endpoint, toTarget(base + path, headers)])
  return { origin, headers, targets: Object.fromEntries(targets) }
}

function toTarget(path: string, headers: Readonly<Record<string, string>>): Target {
  const plainHeaders = Object.entries(headers).flat()
  return { path, plainHeaders, streamHeaders: [...plainHeaders, ...STREAM_HEADERS] }
}

const STREAM_HEADERS = ['accept', 'text/event-stream']

function toTransportRequest(
  { request, route, requestId }: ProviderCall,
  { address, target, options }: { address: Address; target: Target; options: PassThroughOptions },
): TransportRequest {
  const { locate, paths, asksForUsage = true } = options
  return {
    origin: address.origin,
    path: locate
      ? pathWithin(locate(route.provider.baseUrl, route.upstreamModel, paths[request.endpoint] ?? ''))
      : target.path,
    headers: headersOf(request, address.headers, target),
    ownHeaders: ['x-request-id', requestId],
    requestId,
    body: upstreamBody(request, route, asksForUsage),
    timeouts: route.provider.timeouts,
  }
}

function pathWithin(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** What this call says takes the place of what is said otherwise; the usual list where it says nothing. */
function headersOf(
  { stream, passedHeaders, contentType }: GenerationRequest,
  headers: Readonly<Record<string, string>>,
  { plainHeaders, streamHeaders }: Target,
): readonly string[] {
  if (contentType === null && passedHeaders.length === 0) return stream ? streamHeaders : plainHeaders
  const merged = { ...headers }
  if (contentType !== null) merged['content-type'] = contentType
  for (let at = 0; at + 1 < passedHeaders.length; at += 2) {
    merged[passedHeaders[at] ?? ''] = passedHeaders[at + 1] ?? ''
  }
  return [...Object.entries(merged).flat(), ...(stream ? STREAM_HEADERS : [])]
}

/** The client's bytes with the upstream's name of the model, and the wish for usage where a stream lacks it. */
function upstreamBody(
  request: GenerationRequest,
  route: CatalogRoute,
  asksForUsage: boolean,
): readonly Piece[] {
  const edits: Edit[] = []
  if (request.model !== route.upstreamModel) {
    const { upstreamModel } = route
    // The value of a form's field is the name itself.
    const text = request.contentType === null ? JSON.stringify(upstreamModel) : upstreamModel
    edits.push({ ...request.modelSpan, text })
  }
  if (request.usageEdit && asksForUsage) edits.push(request.usageEdit)
  return splice(request.bytes, edits)
}
