import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { managedItemList } from '#contract/configuration.ts'
import { callOrThrow } from '../call.ts'

export type ManagedKind = z.output<typeof managedItemList>['data'][number]['kind']

/** What the configuration file manages, and nobody changes here. */
export const managedItemsQuery = queryOptions({
  queryKey: ['admin', 'managed-items'],
  queryFn: ({ signal }) => callOrThrow({ path: '/admin/managed-items', reply: managedItemList, signal }),
  staleTime: 60_000,
})
