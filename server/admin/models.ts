import { z } from 'zod'
import { adminModel, adminModelPage, createModel, patchModel } from '#contract/catalog.ts'
import { refusals } from '#contract/errors.ts'
import { pageQuery } from '#contract/primitives.ts'
import { previewWeights as previewBody, weightsPreview } from '#contract/weights-preview.ts'
import type { Models } from '#domains/catalog/models.ts'
import type { PreviewWeights } from '#domains/catalog/preview-weights.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'

/** A model's id is all that follows: it may hold slashes, raw or percent-encoded. */
const PATH = '/admin/models/*'
const params = z.object({ '*': z.string() })

export type ModelRoutesParts = { readonly models: Models; readonly previewWeights: PreviewWeights }

/** What can be called. For a scope that only administrators pass into. */
export function registerModelRoutes(scope: HttpApp, { models, previewWeights }: ModelRoutesParts): void {
  scope.post(
    '/admin/weights-preview',
    { schema: { body: previewBody, response: { 200: weightsPreview } } },
    async (request, reply) => {
      const outcome = await previewWeights(request.body)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.get(
    '/admin/models',
    { schema: { querystring: pageQuery, response: { 200: adminModelPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await models.list(page.value)))
    },
  )

  scope.post(
    '/admin/models',
    { schema: { body: createModel, response: { 201: adminModel } } },
    async (request, reply) => {
      const outcome = await models.create(request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.get(PATH, { schema: { params, response: { 200: adminModel } } }, async (request, reply) => {
    const record = await models.find(request.params['*'])
    return record ? reply.send(record) : sendError(reply, refusals.notFound('No such model'))
  })

  scope.patch(
    PATH,
    { schema: { params, body: patchModel, response: { 200: adminModel } } },
    async (request, reply) => {
      const outcome = await models.patch(request.params['*'], request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.delete(PATH, { schema: { params, response: { 204: z.null() } } }, async (request, reply) => {
    const outcome = await models.delete(request.params['*'], actorOf(request))
    return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
  })
}
