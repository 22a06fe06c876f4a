import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { type adminUsageQuery, usageReport } from '#contract/usage-report.ts'
import { callOrThrow } from '../call.ts'

/** What was used, over all accounts or by what narrows it down. */
export const usageQuery = (query: Partial<z.output<typeof adminUsageQuery>> = {}) =>
  queryOptions({
    queryKey: ['admin', 'usage', query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/usage', query, reply: usageReport, signal }),
  })
