import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { catalogEntry, catalogList, openaiModel, openaiModelList, packageList } from '#contract/catalog.ts'
import { refusals } from '#contract/errors.ts'
import { clientNetwork } from '#lib/client-address.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { createPublicDocuments, type PublicDocument, type PublicDocumentsOptions } from './documents.ts'
import { coversTag } from './if-none-match.ts'
import type { DiscoveryLimiter } from './limiter.ts'

export type DiscoveryParts = PublicDocumentsOptions & { readonly limiter: DiscoveryLimiter }

const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=300'
const METHOD: ('GET' | 'HEAD')[] = ['GET', 'HEAD']
/** A model's id is all that follows: it may hold slashes, raw or percent-encoded. */
const params = z.object({ '*': z.string() })

/** The public catalogue. The schemas of the replies are for the reference: what is sent is rendered already. */
export function registerDiscoveryRoutes(app: HttpApp, { limiter, ...options }: DiscoveryParts): void {
  const documents = createPublicDocuments(options)
  void app.register(async plain => {
    const scope = plain.withTypeProvider<ZodTypeProvider>()
    scope.addHook('onRequest', limitBy(limiter))

    const fixed = [
      ['/v1/models', openaiModelList, documents.modelList],
      ['/v1/catalog', catalogList, documents.catalogList],
      ['/v1/catalog/packages', packageList, documents.packageList],
    ] as const
    for (const [url, content, document] of fixed) {
      scope.route({
        method: METHOD,
        url,
        schema: { response: { 200: content } },
        handler: async (request, reply) => sendDocument(request, reply, document()),
      })
    }

    const byModel = [
      ['/v1/models/*', openaiModel, documents.model],
      ['/v1/catalog/models/*', catalogEntry, documents.catalogEntry],
    ] as const
    for (const [url, content, find] of byModel) {
      scope.route({
        method: METHOD,
        url,
        schema: { params, response: { 200: content } },
        handler: async (request, reply) => {
          const id = request.params['*']
          const document = find(id)
          if (document === null) return sendError(reply, refusals.modelNotFound(id))
          return sendDocument(request, reply, document)
        },
      })
    }

    // Whatever else is asked for below the catalogue is counted like the rest of it.
    scope.route({
      method: METHOD,
      url: '/v1/catalog/*',
      schema: { hide: true },
      handler: async (_request, reply) => sendError(reply, refusals.notFound('No such route')),
    })
  })
}

function limitBy(limiter: DiscoveryLimiter) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const decision = await limiter.take(clientNetwork(request.ip))
    if (!decision.allowed) return sendError(reply, refusals.rateLimited(decision.retryAfterSeconds))
  }
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, document: PublicDocument): FastifyReply {
  reply.header('cache-control', CACHE_CONTROL).header('etag', document.etag)
  if (coversTag(request.headers['if-none-match'], document.etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(document.body)
}
