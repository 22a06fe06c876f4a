import { z } from 'zod'
import { createProvider, patchProvider, provider, providerPage } from '#contract/catalog.ts'
import { refusals } from '#contract/errors.ts'
import { pageQuery } from '#contract/primitives.ts'
import type { Providers } from '#domains/catalog/providers.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'

const params = z.object({ id: z.string() })
const NOT_FOUND = refusals.notFound('No such provider')

/** Where models are served. For a scope that only administrators pass into. */
export function registerProviderRoutes(
  scope: HttpApp,
  { providers }: { readonly providers: Providers },
): void {
  scope.get(
    '/admin/providers',
    { schema: { querystring: pageQuery, response: { 200: providerPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await providers.list(page.value)))
    },
  )

  scope.post(
    '/admin/providers',
    { schema: { body: createProvider, response: { 201: provider } } },
    async (request, reply) => {
      const outcome = await providers.create(request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.get(
    '/admin/providers/:id',
    { schema: { params, response: { 200: provider } } },
    async (request, reply) => {
      const record = await providers.find(request.params.id)
      return record ? reply.send(record) : sendError(reply, NOT_FOUND)
    },
  )

  scope.patch(
    '/admin/providers/:id',
    { schema: { params, body: patchProvider, response: { 200: provider } } },
    async (request, reply) => {
      const outcome = await providers.patch(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.delete(
    '/admin/providers/:id',
    { schema: { params, response: { 204: z.null() } } },
    async (request, reply) => {
      const outcome = await providers.delete(request.params.id, actorOf(request))
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )
}
