import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { type adminUsageQuery, usageReport } from '#contract/usage-report.ts'
import { callOrThrow } from '../call.ts'
import { pollEvery } from '../poll.ts'

export type UsageQuery = z.input<typeof adminUsageQuery> & { readonly top?: number }

/** What was used, over all accounts or by what narrows it down; asked again while it is looked at. */
export const usageQuery = (query: UsageQuery = {}) =>
  queryOptions({
    queryKey: ['admin', 'usage', query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/usage', query, reply: usageReport, signal }),
    refetchInterval: pollEvery(15_000),
  })
