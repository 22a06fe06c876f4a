import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { clientMe, secondFactorDue, type secondStep, type signIn, type signUp } from '#contract/sessions.ts'
import { callOrThrow } from '../call.ts'

export type Me = z.output<typeof clientMe>

/** Who is signed in, and what their account has. */
export const meQuery = queryOptions({
  queryKey: ['client', 'me'],
  queryFn: ({ signal }) => callOrThrow({ path: '/client/me', reply: clientMe, signal }),
})

/** Who is signed in; null when a second factor is due before anybody is. */
export async function signInToPortal(body: z.input<typeof signIn>): Promise<Me | null> {
  const reply = await callOrThrow({
    method: 'POST',
    path: '/client/sign-in',
    body,
    reply: z.union([secondFactorDue, clientMe]),
  })
  return 'user' in reply ? reply : null
}

export function completeSignIn(body: z.input<typeof secondStep>): Promise<Me> {
  return callOrThrow({ method: 'POST', path: '/client/sign-in/second-factor', body, reply: clientMe })
}

export function signUpToPortal(body: z.input<typeof signUp>): Promise<Me> {
  return callOrThrow({ method: 'POST', path: '/client/sign-up', body, reply: clientMe })
}

export function signOutOfPortal(): Promise<null> {
  return callOrThrow({ method: 'POST', path: '/client/sign-out', reply: z.null() })
}
