import { z } from 'zod'
import { adminPackage, adminPackagePage, createPackage, patchPackage } from '#contract/catalog.ts'
import { refusals } from '#contract/errors.ts'
import { pageQuery } from '#contract/primitives.ts'
import type { Packages } from '#domains/catalog/packages.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'

const params = z.object({ id: z.string() })

/** Credits as they are sold. For a scope that only administrators pass into. */
export function registerPackageRoutes(scope: HttpApp, { packages }: { readonly packages: Packages }): void {
  scope.get(
    '/admin/packages',
    { schema: { querystring: pageQuery, response: { 200: adminPackagePage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await packages.list(page.value)))
    },
  )

  scope.post(
    '/admin/packages',
    { schema: { body: createPackage, response: { 201: adminPackage } } },
    async (request, reply) => {
      const outcome = await packages.create(request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.get(
    '/admin/packages/:id',
    { schema: { params, response: { 200: adminPackage } } },
    async (request, reply) => {
      const record = await packages.find(request.params.id)
      return record ? reply.send(record) : sendError(reply, refusals.notFound('No such package'))
    },
  )

  scope.patch(
    '/admin/packages/:id',
    { schema: { params, body: patchPackage, response: { 200: adminPackage } } },
    async (request, reply) => {
      const outcome = await packages.patch(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.delete(
    '/admin/packages/:id',
    { schema: { params, response: { 204: z.null() } } },
    async (request, reply) => {
      const outcome = await packages.delete(request.params.id, actorOf(request))
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )
}
