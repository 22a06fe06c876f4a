import { queryOptions } from '@tanstack/react-query'
import { overview } from '#contract/overview.ts'
import { callOrThrow } from '../call.ts'
import { pollEvery } from '../poll.ts'

/** How the service is now, and what a span brought in and cost; asked again while it is looked at. */
export const overviewQuery = (query: { readonly from: string; readonly to: string }) =>
  queryOptions({
    queryKey: ['admin', 'overview', query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/overview', query, reply: overview, signal }),
    refetchInterval: pollEvery(10_000),
  })
