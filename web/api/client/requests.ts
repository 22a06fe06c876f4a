import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { requestDetail, requestPage, type requestQuery, type requestRecord } from '#contract/usage.ts'
import { callOrThrow, withQuery } from '../call.ts'

export type RequestRecord = z.output<typeof requestRecord>

export type RequestQuery = Partial<z.output<typeof requestQuery>>

/** The start of every query about single requests. */
export const REQUESTS = ['client', 'requests'] as const

/** Single requests, newest first. */
export const requestsQuery = (query: RequestQuery = {}) =>
  queryOptions({
    queryKey: [...REQUESTS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/client/requests', query, reply: requestPage, signal }),
  })

/** One request with its receipt; 404 while it is running. */
export const requestDetailQuery = (id: string) =>
  queryOptions({
    queryKey: [...REQUESTS, id],
    queryFn: ({ signal }) =>
      callOrThrow({ path: `/client/requests/${encodeURIComponent(id)}`, reply: requestDetail, signal }),
  })

/** Where all requests that fit are had as a file. */
export function requestsCsvAddress({ limit: _limit, cursor: _cursor, ...filter }: RequestQuery): string {
  return withQuery('/client/requests.csv', filter)
}
