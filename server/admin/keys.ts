import { z } from 'zod'
import {
  adminKeyQuery,
  apiKey,
  createAdminKey,
  createdApiKey,
  listedApiKeyPage,
  patchAdminKey,
} from '#contract/keys.ts'
import { mapPage } from '#lib/page.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'

const params = z.object({ id: z.string() })

export function registerAdminKeyRoutes(app: HttpApp, { keys, accounts }: AdminParts): void {
  app.get(
    '/admin/keys',
    { schema: { querystring: adminKeyQuery, response: { 200: listedApiKeyPage } } },
    async (request, reply) => {
      const { user_id: userId, account_id: accountId, search } = request.query
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const found = await keys.list({ userId, accountId, search }, page.value)
      const memberOf = await accounts.names.ofUsers(found.items.map(({ user_id }) => user_id))
      return reply.send(pageReply(mapPage(found, key => ({ ...key, ...memberOf(key.user_id) }))))
    },
  )

  app.post(
    '/admin/keys',
    { schema: { body: createAdminKey, response: { 201: createdApiKey } } },
    async (request, reply) => {
      const { user_id: userId, expires_at: expiresAt, spending_cap: spendingCap, ...given } = request.body
      const outcome = await keys.create(
        { ...given, userId, expiresAt, spendingCap },
        { administrator: actorOf(request) },
      )
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.patch(
    '/admin/keys/:id',
    { schema: { params, body: patchAdminKey, response: { 200: apiKey } } },
    async (request, reply) => {
      const { expires_at: expiresAt, spending_cap: spendingCap, ...given } = request.body
      const patch = { ...given, expiresAt, spendingCap }
      const outcome = await keys.patch(request.params.id, patch, { administrator: actorOf(request) })
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.delete(
    '/admin/keys/:id',
    { schema: { params, response: { 204: z.null() } } },
    async (request, reply) => {
      const outcome = await keys.revoke(request.params.id, { administrator: actorOf(request) })
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )
}
