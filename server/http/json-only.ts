import type { FastifyInstance } from 'fastify'

/**
 * Lets a scope take JSON bodies alone: plain text, which other sites can post without asking, is 415. An empty body is
 * no body, whatever type it claims: many clients name one on every call, DELETE included.
 */
export function acceptJsonOnly(scope: FastifyInstance): void {
  const parseJson = scope.getDefaultJsonParser('error', 'error')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body.toString(), done)
  })
}
