import { z } from 'zod'
import { createUser, patchUser, user, userPage, userQuery } from '#contract/accounts.ts'
import { mapPage } from '#lib/page.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'

export function registerUserRoutes(app: HttpApp, { users, accounts, resetTwoFactor }: AdminParts): void {
  app.get(
    '/admin/users',
    { schema: { querystring: userQuery, response: { 200: userPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { account_id: accountId, search } = request.query
      const found = await users.list({ accountId, search }, page.value)
      const accountOf = await accounts.names.ofAccounts(found.items.map(({ account_id }) => account_id))
      return reply.send(pageReply(mapPage(found, one => ({ ...one, account: accountOf(one.account_id) }))))
    },
  )

  app.post(
    '/admin/users',
    { schema: { body: createUser, response: { 201: user } } },
    async (request, reply) => {
      const outcome = await users.create(request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.patch(
    '/admin/users/:id',
    { schema: { params: z.object({ id: z.string() }), body: patchUser, response: { 200: user } } },
    async (request, reply) => {
      const outcome = await users.patch(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.delete(
    '/admin/users/:id/two-factor',
    { schema: { params: z.object({ id: z.string() }), response: { 204: z.null() } } },
    async (request, reply) => {
      const subject = { realm: 'client', id: request.params.id } as const
      const outcome = await resetTwoFactor(subject, actorOf(request))
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )
}
