import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { type createUser, type listedUser, type patchUser, user, userPage } from '#contract/accounts.ts'
import { callOrThrow } from '../call.ts'

export type User = z.output<typeof user>
/** With the name of the account. */
export type ListedUser = z.output<typeof listedUser>

/** The start of every query about users. */
export const USERS = ['admin', 'users'] as const

export type UserSearch = {
  readonly account_id?: string
  readonly search?: string
  readonly cursor?: string
  readonly limit?: number
}

export const usersQuery = (query: UserSearch = {}) =>
  queryOptions({
    queryKey: [...USERS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/users', query, reply: userPage, signal }),
  })

export function makeUser(body: z.input<typeof createUser>): Promise<User> {
  return callOrThrow({ method: 'POST', path: '/admin/users', body, reply: user })
}

export function changeUser(id: string, body: z.input<typeof patchUser>): Promise<User> {
  return callOrThrow({ method: 'PATCH', path: `/admin/users/${encodeURIComponent(id)}`, body, reply: user })
}

/** Takes the second factor of a user away, who can then sign in by password alone. */
export function resetUserTwoFactor(id: string): Promise<null> {
  const path = `/admin/users/${encodeURIComponent(id)}/two-factor`
  return callOrThrow({ method: 'DELETE', path, reply: z.null() })
}
