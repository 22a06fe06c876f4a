import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  apiKey,
  apiKeyPage,
  type createClientKey,
  createdApiKey,
  type liveUse,
  liveUseList,
  type patchClientKey,
} from '#contract/keys.ts'
import { callOrThrow } from '../call.ts'
import { pollEvery } from '../poll.ts'

export type KeyPage = z.output<typeof apiKeyPage>
export type Key = KeyPage['data'][number]
export type LiveUse = z.output<typeof liveUse>
export type CreatedKey = z.output<typeof createdApiKey>

/** The start of every query about keys: invalidate it when one changed. */
export const KEYS = ['client', 'keys'] as const

export const keysQuery = (query: { readonly cursor?: string; readonly limit?: number } = {}) =>
  queryOptions({
    queryKey: [...KEYS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/client/keys', query, reply: apiKeyPage, signal }),
  })

/** All of a user's keys, live or not, as far as one page holds them: a user can hold a hundred live ones. */
export const allKeysQuery = keysQuery({ limit: 100 })

/** What runs now against the limits of each live key; asked again and again while it is looked at. */
export const liveUseQuery = queryOptions({
  queryKey: [...KEYS, 'live'],
  queryFn: ({ signal }) => callOrThrow({ path: '/client/live', reply: liveUseList, signal }),
  staleTime: 0,
  refetchInterval: pollEvery(2_000),
})

export function createKey(body: z.input<typeof createClientKey>): Promise<CreatedKey> {
  return callOrThrow({ method: 'POST', path: '/client/keys', body, reply: createdApiKey })
}

export function revokeKey(id: string): Promise<null> {
  return callOrThrow({ method: 'DELETE', path: `/client/keys/${encodeURIComponent(id)}`, reply: z.null() })
}

export function renameKey(id: string, body: z.input<typeof patchClientKey>): Promise<Key> {
  return callOrThrow({ method: 'PATCH', path: `/client/keys/${encodeURIComponent(id)}`, body, reply: apiKey })
}
