import { z } from 'zod'
import {
  administrator,
  administratorPage,
  createAdministrator,
  patchAdministrator,
} from '#contract/administrators.ts'
import { pageQuery } from '#contract/primitives.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'
import { OWNERS_ONLY } from './roles.ts'

/** Who operates the service, and what each may do. */
export function registerAdministratorRoutes(
  app: HttpApp,
  { administratorRegister: register }: AdminParts,
): void {
  app.get(
    '/admin/administrators',
    { schema: { querystring: pageQuery, response: { 200: administratorPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await register.list(page.value)))
    },
  )

  app.post(
    '/admin/administrators',
    { config: OWNERS_ONLY, schema: { body: createAdministrator, response: { 201: administrator } } },
    async (request, reply) => {
      const outcome = await register.create(request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.patch(
    '/admin/administrators/:id',
    {
      config: OWNERS_ONLY,
      schema: {
        params: z.object({ id: z.string() }),
        body: patchAdministrator,
        response: { 200: administrator },
      },
    },
    async (request, reply) => {
      const outcome = await register.patch(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}
