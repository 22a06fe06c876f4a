import { z } from 'zod'

/** Where to go after signing in; only ever a place in the same application. */
export const returnSearch = z.object({
  from: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional()
    .catch(undefined),
})

/** What the address of a sign-in page may say. */
export const signInSearch = returnSearch.extend({
  /** A first factor was shown elsewhere, and the second one is due. */
  step: z.literal('second-factor').optional().catch(undefined),
  /** Why somebody comes back from another service without having signed in. */
  error: z.string().optional().catch(undefined),
  notice: z.literal('password-set').optional().catch(undefined),
})

/** What the address of the page about one's own account may say. */
export const accountSearch = z.object({ error: z.string().optional().catch(undefined) })
