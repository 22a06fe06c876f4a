import { hash } from 'node:crypto'
import type { HttpApp } from '#server/http/frame.ts'
import { buildOpenapiDocument } from './openapi-document.ts'
import { OPERATIONS } from './operations.ts'
import type { CollectedRoute } from './route-collector.ts'

export type ReferenceParts = {
  /** All that there are, asked once the app is ready. */
  readonly routes: () => readonly CollectedRoute[]
  readonly publicUrl: string | null
}

/** `GET /openapi.json`: the document, made when it is first asked for and the same bytes from then on. */
export function registerReferenceRoutes(app: HttpApp, { routes, publicUrl }: ReferenceParts): void {
  let made: { readonly body: string; readonly etag: string } | null = null
  const make = () => {
    const body = JSON.stringify(buildOpenapiDocument({ routes: routes(), operations: OPERATIONS, publicUrl }))
    return { body, etag: `"${hash('sha256', body, 'base64url')}"` }
  }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/openapi.json',
    schema: { hide: true },
    handler: async (request, reply) => {
      made ??= make()
      reply.header('cache-control', 'public, max-age=60').header('etag', made.etag)
      if (request.headers['if-none-match'] === made.etag) return reply.code(304).send()
      return reply
        .header('access-control-allow-origin', '*')
        .type('application/json; charset=utf-8')
        .send(made.body)
    },
  })
}
