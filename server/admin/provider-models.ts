import { z } from 'zod'
import { refusals } from '#contract/errors.ts'
import {
  importedModels,
  importModels,
  providerDiscovery,
  providerTest,
  providerTrial,
  weightQuestion,
  weightSuggestion,
} from '#contract/provider-models.ts'
import { type ProviderModels, UNREADABLE } from '#domains/catalog/provider-models.ts'
import type { ProviderProbes, ProviderTest } from '#domains/catalog/provider-probes.ts'
import type { Providers } from '#domains/catalog/providers.ts'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'

const params = z.object({ id: z.string() })
const NOT_FOUND = refusals.notFound('No such provider')

export type ProviderModelRoutesParts = {
  readonly providers: Pick<Providers, 'findCallable' | 'draft'>
  readonly probes: Pick<ProviderProbes, 'testProvider'>
  readonly providerModels: ProviderModels
}

/** Whether providers answer, what they have, what it costs. For a scope that only administrators pass into. */
export function registerProviderModelRoutes(scope: HttpApp, parts: ProviderModelRoutesParts): void {
  const { providers, probes, providerModels } = parts

  const test = async (callable: CatalogProvider | 'unreadable'): Promise<ProviderTest> =>
    callable === 'unreadable'
      ? { ok: false, verdict: 'unreadable_credential', latency_ms: 0, message: UNREADABLE }
      : probes.testProvider(callable)

  scope.post(
    '/admin/providers/test',
    { schema: { body: providerTrial, response: { 200: providerTest } } },
    async (request, reply) => {
      const draft = await providers.draft(request.body, actorOf(request))
      if (!draft.ok) return sendError(reply, draft.refusal)
      return reply.send({ object: 'provider_test', ...(await test(draft.value)) })
    },
  )

  scope.post(
    '/admin/providers/:id/test',
    { schema: { params, response: { 200: providerTest } } },
    async (request, reply) => {
      const callable = await providers.findCallable(request.params.id)
      if (callable === null) return sendError(reply, NOT_FOUND)
      return reply.send({ object: 'provider_test', ...(await test(callable)) })
    },
  )

  scope.post(
    '/admin/providers/:id/discover',
    { schema: { params, response: { 200: providerDiscovery } } },
    async (request, reply) => {
      const outcome = await providerModels.discover(request.params.id)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.post(
    '/admin/providers/:id/import',
    { schema: { params, body: importModels, response: { 201: importedModels } } },
    async (request, reply) => {
      const outcome = await providerModels.import(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.get(
    '/admin/list-prices',
    { schema: { querystring: weightQuestion, response: { 200: weightSuggestion } } },
    async (request, reply) => {
      const outcome = await providerModels.suggest(request.query)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}
