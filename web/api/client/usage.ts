import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { type clientUsageQuery, usageReport } from '#contract/usage-report.ts'
import { callOrThrow, withQuery } from '../call.ts'
import { pollEvery } from '../poll.ts'

export type UsageQuery = z.input<typeof clientUsageQuery> & { readonly top?: number }

/** What was used over a span; asked again while it is looked at, since a request may have come since. */
export const usageQuery = (query: UsageQuery) =>
  queryOptions({
    queryKey: ['client', 'usage', query],
    queryFn: ({ signal }) => callOrThrow({ path: '/client/usage', query, reply: usageReport, signal }),
    refetchInterval: pollEvery(15_000),
  })

/** Where the same is had as a file, in which every group has lines of its own. */
export function usageCsvAddress({ top: _top, ...query }: UsageQuery): string {
  return withQuery('/client/usage.csv', query)
}
