import { z } from 'zod'
import { apiKey, apiKeyPage, createClientKey, createdApiKey, patchClientKey } from '#contract/keys.ts'
import { pageQuery } from '#contract/primitives.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { PortalParts } from './portal-parts.ts'

const params = z.object({ id: z.string() })

/** A user's own keys. */
export function registerClientKeyRoutes(app: HttpApp, { keys, emailVerification }: PortalParts): void {
  app.get(
    '/client/keys',
    { schema: { querystring: pageQuery, response: { 200: apiKeyPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await keys.list({ userId: userOf(request).id }, page.value)))
    },
  )

  app.post(
    '/client/keys',
    { schema: { body: createClientKey, response: { 201: createdApiKey } } },
    async (request, reply) => {
      const admitted = await emailVerification.admit(userOf(request))
      if (!admitted.ok) return sendError(reply, admitted.refusal)
      const userId = userOf(request).id
      const { name, expires_at: expiresAt } = request.body
      const outcome = await keys.create({ userId, name, expiresAt }, { userId })
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.patch(
    '/client/keys/:id',
    { schema: { params, body: patchClientKey, response: { 200: apiKey } } },
    async (request, reply) => {
      const { name } = request.body
      const outcome = await keys.patch(request.params.id, { name }, { userId: userOf(request).id })
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.delete(
    '/client/keys/:id',
    { schema: { params, response: { 204: z.null() } } },
    async (request, reply) => {
      const outcome = await keys.revoke(request.params.id, { userId: userOf(request).id })
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )
}
