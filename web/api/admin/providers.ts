import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { type createProvider, type patchProvider, provider, providerPage } from '#contract/catalog.ts'
import { type HealthQuery, providerHealth } from '#contract/provider-health.ts'
import {
  importedModels,
  type importModels,
  providerDiscovery,
  providerTest,
  type providerTrial,
} from '#contract/provider-models.ts'
import { callOrThrow } from '../call.ts'
import { pollEvery } from '../poll.ts'

export type Provider = z.output<typeof provider>
export type ProviderTest = z.output<typeof providerTest>
export type Discovery = z.output<typeof providerDiscovery>

/** The start of every query about providers: invalidate it when one changed. */
export const PROVIDERS = ['admin', 'providers'] as const

const pathOf = (id: string, rest = '') => `/admin/providers/${encodeURIComponent(id)}${rest}`

export const providersQuery = (query: { readonly cursor?: string; readonly limit?: number } = {}) =>
  queryOptions({
    queryKey: [...PROVIDERS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/providers', query, reply: providerPage, signal }),
  })

/** As many as one page holds: what there is to choose from. */
export const allProvidersQuery = providersQuery({ limit: 100 })

export const providerQuery = (id: string) =>
  queryOptions({
    queryKey: [...PROVIDERS, id],
    queryFn: ({ signal }) => callOrThrow({ path: pathOf(id), reply: provider, signal }),
  })

/** How attempts at a provider fared; asked again while it is looked at. */
export const providerHealthQuery = (id: string, query: HealthQuery) =>
  queryOptions({
    queryKey: [...PROVIDERS, id, 'health', query],
    queryFn: ({ signal }) =>
      callOrThrow({ path: pathOf(id, '/health'), query, reply: providerHealth, signal }),
    refetchInterval: pollEvery(15_000),
  })

export function createOneProvider(body: z.input<typeof createProvider>): Promise<Provider> {
  return callOrThrow({ method: 'POST', path: '/admin/providers', body, reply: provider })
}

export function changeProvider(id: string, body: z.input<typeof patchProvider>): Promise<Provider> {
  return callOrThrow({ method: 'PATCH', path: pathOf(id), body, reply: provider })
}

export function deleteProvider(id: string): Promise<null> {
  return callOrThrow({ method: 'DELETE', path: pathOf(id), reply: z.null() })
}

/** Whether a provider answers. */
export function testProvider(id: string): Promise<ProviderTest> {
  return callOrThrow({ method: 'POST', path: pathOf(id, '/test'), reply: providerTest })
}

/** Whether it would answer if it were saved like this. */
export function tryProvider(body: z.input<typeof providerTrial>): Promise<ProviderTest> {
  return callOrThrow({ method: 'POST', path: '/admin/providers/test', body, reply: providerTest })
}

export function discoverModels(id: string): Promise<Discovery> {
  return callOrThrow({ method: 'POST', path: pathOf(id, '/discover'), reply: providerDiscovery })
}

export function importProviderModels(
  id: string,
  body: z.input<typeof importModels>,
): Promise<z.output<typeof importedModels>> {
  return callOrThrow({ method: 'POST', path: pathOf(id, '/import'), body, reply: importedModels })
}
