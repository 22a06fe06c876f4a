/** Which protected routes there are. They are served by the HTTP server itself, before the framework. */
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { EndpointName } from '#contract/usage.ts'
import { serveCountTokens } from '#gateway/count-tokens.ts'
import type { Arrival } from '#gateway/exchange.ts'
import { type PipelineParts, serveGeneration } from '#gateway/pipeline.ts'
import { type QuotaParts, serveQuota } from '#gateway/quota.ts'
import {
  anthropicDialect,
  bytesDialect,
  type CallerDialect,
  openaiDialect,
  responsesDialect,
} from './caller-dialect.ts'
import { refuse } from './refuse.ts'

export type GatewayParts = PipelineParts &
  QuotaParts & {
    /** Whether what is used can be recorded, as far as is known. */
    readonly isStoreAvailable: () => boolean
  }

export type Route = {
  readonly method: 'GET' | 'POST' | 'any'
  readonly dialect: CallerDialect
  readonly serve: (arrival: Arrival, parts: GatewayParts) => Promise<void>
}

function generation(endpoint: EndpointName, dialect: CallerDialect): Route {
  return { method: 'POST', dialect, serve: (arrival, parts) => serveGeneration(arrival, endpoint, parts) }
}

function absent(dialect: CallerDialect, error: ServiceError): Route {
  return { method: 'any', dialect, serve: async (arrival, parts) => refuse(arrival, error, parts) }
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/v1/chat/completions', generation('chat', openaiDialect)],
  ['/v1/messages', generation('messages', anthropicDialect)],
  ['/v1/messages/count_tokens', { method: 'POST', dialect: anthropicDialect, serve: serveCountTokens }],
  ['/v1/responses', generation('responses', responsesDialect)],
  ['/v1/embeddings', generation('embeddings', openaiDialect)],
  ['/v1/completions', generation('completions', openaiDialect)],
  ['/v1/moderations', generation('moderations', openaiDialect)],
  ['/v1/images/generations', generation('images', openaiDialect)],
  ['/v1/images/edits', generation('image_edits', openaiDialect)],
  ['/v1/images/variations', generation('image_variations', openaiDialect)],
  ['/v1/audio/speech', generation('speech', bytesDialect)],
  ['/v1/audio/transcriptions', generation('transcriptions', openaiDialect)],
  ['/v1/audio/translations', generation('translations', openaiDialect)],
  ['/v1/rerank', generation('rerank', openaiDialect)],
  ['/v1/quota', { method: 'GET', dialect: openaiDialect, serve: serveQuota }],
])

/** Every protected route, for whoever has to know them all. */
export function listGatewayRoutes(): { readonly method: string; readonly path: string }[] {
  return [...ROUTES].map(([path, { method }]) => ({ method, path }))
}

/** What vendors serve below these paths and we do not: clients are told so in the dialect that they speak. */
const BELOW: readonly (readonly [prefix: string, route: Route])[] = [
  ['/v1/messages/', absent(anthropicDialect, refusals.notFound('No such route'))],
  [
    '/v1/responses/',
    absent(
      responsesDialect,
      refusals.notFound('No such route: responses are not kept here, so none can be fetched or deleted'),
    ),
  ],
]

/** The route for a path without its query; undefined where it is none of ours. */
export function findRoute(path: string): Route | undefined {
  return ROUTES.get(path) ?? BELOW.find(([prefix]) => path.startsWith(prefix))?.[1]
}
