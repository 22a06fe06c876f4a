import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { administratorPage } from '#contract/administrators.ts'
import { type auditQuery as auditFilter, auditPage } from '#contract/sessions.ts'
import { callOrThrow } from '../call.ts'

export type AuditEntry = z.output<typeof auditPage>['data'][number]

/** The start of every query about the audit log: invalidate it when something it is shown beside changed. */
export const AUDIT = ['admin', 'audit'] as const

/** What was changed, newest first. */
export const auditQuery = (query: Partial<z.output<typeof auditFilter>> = {}) =>
  queryOptions({
    queryKey: [...AUDIT, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/audit', query, reply: auditPage, signal }),
  })

/** Who can have changed something: as many as one page holds. */
export const actorsQuery = queryOptions({
  queryKey: ['admin', 'administrators', 'actors'],
  queryFn: ({ signal }) =>
    callOrThrow({ path: '/admin/administrators', query: { limit: 100 }, reply: administratorPage, signal }),
  staleTime: 60_000,
})
