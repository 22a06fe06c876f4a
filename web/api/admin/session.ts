import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { adminMe, secondFactorDue, type secondStep, type signIn } from '#contract/sessions.ts'
import { callOrThrow } from '../call.ts'

export type Me = z.output<typeof adminMe>

/** Which administrator is signed in, and what they may do. */
export const meQuery = queryOptions({
  queryKey: ['admin', 'me'],
  queryFn: ({ signal }) => callOrThrow({ path: '/admin/me', reply: adminMe, signal }),
})

/** Who is signed in; null when a second factor is due before anybody is. */
export async function signInToConsole(body: z.input<typeof signIn>): Promise<Me | null> {
  const reply = await callOrThrow({
    method: 'POST',
    path: '/admin/sign-in',
    body,
    reply: z.union([secondFactorDue, adminMe]),
  })
  return 'administrator' in reply ? reply : null
}

export function completeSignIn(body: z.input<typeof secondStep>): Promise<Me> {
  return callOrThrow({ method: 'POST', path: '/admin/sign-in/second-factor', body, reply: adminMe })
}

export function signOutOfConsole(): Promise<null> {
  return callOrThrow({ method: 'POST', path: '/admin/sign-out', reply: z.null() })
}
