import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { playgroundQuery } from '#contract/generation.ts'
import type { OwnKey } from '#domains/keys/caller.ts'
import type { HttpApp } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'

export type PlaygroundParts = {
  /** Takes the exchange over, body unread, and answers it whatever happens. */
  readonly serveOwnChat: (
    exchange: {
      readonly request: IncomingMessage
      readonly response: ServerResponse
      readonly requestId: string
    },
    ownKey: OwnKey,
  ) => void
}

/**
 * Chat for a user who is signed in: the very path that requests with a token take, with the limits of one of the user's
 * own keys. Only the way in differs, so nothing is cheaper, freer or less accounted for here.
 */
export function registerPlaygroundRoute(app: HttpApp, { serveOwnChat }: PlaygroundParts): void {
  void app.register(async plain => {
    const scope = plain.withTypeProvider<ZodTypeProvider>()
    // The gateway reads the body itself, once the request is let in.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post(
      '/client/playground/chat/completions',
      { schema: { querystring: playgroundQuery } },
      async (request, reply) => {
        const ownKey = { userId: userOf(request).id, keyId: request.query.key_id }
        reply.hijack()
        serveOwnChat({ request: request.raw, response: reply.raw, requestId: request.id }, ownKey)
      },
    )
  })
}
