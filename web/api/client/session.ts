import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { clientMe, type signIn, type signUp } from '#contract/sessions.ts'
import { callOrThrow } from '../call.ts'

export type Me = z.output<typeof clientMe>

/** Who is signed in, and what their account has. */
export const meQuery = queryOptions({
  queryKey: ['client', 'me'],
  queryFn: ({ signal }) => callOrThrow({ path: '/client/me', reply: clientMe, signal }),
})

export function signInToPortal(body: z.input<typeof signIn>): Promise<Me> {
  return callOrThrow({ method: 'POST', path: '/client/sign-in', body, reply: clientMe })
}

export function signUpToPortal(body: z.input<typeof signUp>): Promise<Me> {
  return callOrThrow({ method: 'POST', path: '/client/sign-up', body, reply: clientMe })
}

export function signOutOfPortal(): Promise<null> {
  return callOrThrow({ method: 'POST', path: '/client/sign-out', reply: z.null() })
}
