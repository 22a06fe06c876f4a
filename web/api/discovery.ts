import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { catalogEntry, catalogList } from '#contract/catalog.ts'
import { callOrThrow } from './call.ts'

export type CatalogEntry = z.output<typeof catalogEntry>

/** Every model that can be asked for. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: ({ signal }) => callOrThrow({ path: '/v1/catalog', reply: catalogList, signal }),
  staleTime: 60_000,
})

/** One model; 404 when there is none, or none any more. */
export const catalogEntryQuery = (id: string) =>
  queryOptions({
    queryKey: ['catalog', id],
    queryFn: ({ signal }) =>
      callOrThrow({ path: `/v1/catalog/models/${encodeURIComponent(id)}`, reply: catalogEntry, signal }),
    staleTime: 60_000,
  })
