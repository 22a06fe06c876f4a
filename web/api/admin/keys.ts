import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  apiKey,
  type createAdminKey,
  createdApiKey,
  type listedApiKey,
  listedApiKeyPage,
  type patchAdminKey,
} from '#contract/keys.ts'
import { callOrThrow } from '../call.ts'

export type Key = z.output<typeof apiKey>
/** With the names of its user and account. */
export type ListedKey = z.output<typeof listedApiKey>
export type CreatedKey = z.output<typeof createdApiKey>

/** The start of every query about keys. */
export const KEYS = ['admin', 'keys'] as const

export type KeySearch = {
  readonly account_id?: string
  readonly user_id?: string
  readonly search?: string
  readonly cursor?: string
}

export const keysQuery = (query: KeySearch = {}) =>
  queryOptions({
    queryKey: [...KEYS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/keys', query, reply: listedApiKeyPage, signal }),
  })

export function makeKey(body: z.input<typeof createAdminKey>): Promise<CreatedKey> {
  return callOrThrow({ method: 'POST', path: '/admin/keys', body, reply: createdApiKey })
}

export function changeKey(id: string, body: z.input<typeof patchAdminKey>): Promise<Key> {
  return callOrThrow({ method: 'PATCH', path: `/admin/keys/${encodeURIComponent(id)}`, body, reply: apiKey })
}

export function revokeKey(id: string): Promise<null> {
  return callOrThrow({ method: 'DELETE', path: `/admin/keys/${encodeURIComponent(id)}`, reply: z.null() })
}
