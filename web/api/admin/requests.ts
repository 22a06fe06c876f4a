import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { adminRequestDetail, adminRequestPage, type adminRequestQuery } from '#contract/usage.ts'
import { callOrThrow } from '../call.ts'

export type RequestQuery = Partial<z.output<typeof adminRequestQuery>>
export type RequestRecord = z.output<typeof adminRequestPage>['data'][number]
export type RequestDetail = z.output<typeof adminRequestDetail>

/** Single requests of all accounts, newest first. */
export const requestsQuery = (query: RequestQuery = {}) =>
  queryOptions({
    queryKey: ['admin', 'requests', query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/requests', query, reply: adminRequestPage, signal }),
  })

/** One request with its receipt; 404 while it is running. */
export const requestDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'requests', id],
    queryFn: ({ signal }) =>
      callOrThrow({ path: `/admin/requests/${encodeURIComponent(id)}`, reply: adminRequestDetail, signal }),
  })
