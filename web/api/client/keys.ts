import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { apiKeyPage, type createClientKey, createdApiKey } from '#contract/keys.ts'
import { callOrThrow } from '../call.ts'

export type KeyPage = z.output<typeof apiKeyPage>
export type Key = KeyPage['data'][number]
export type CreatedKey = z.output<typeof createdApiKey>

/** The start of every query about keys: invalidate it when one changed. */
export const KEYS = ['client', 'keys'] as const

export const keysQuery = (cursor?: string) =>
  queryOptions({
    queryKey: [...KEYS, { cursor }],
    queryFn: ({ signal }) =>
      callOrThrow({ path: '/client/keys', query: { cursor }, reply: apiKeyPage, signal }),
  })

export function createKey(body: z.input<typeof createClientKey>): Promise<CreatedKey> {
  return callOrThrow({ method: 'POST', path: '/client/keys', body, reply: createdApiKey })
}

export function revokeKey(id: string): Promise<null> {
  return callOrThrow({ method: 'DELETE', path: `/client/keys/${encodeURIComponent(id)}`, reply: z.null() })
}
