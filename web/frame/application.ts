import type { QueryKey } from '@tanstack/react-query'
import type { z } from 'zod'
import type { secondStep, signIn } from '#contract/sessions.ts'
import type { Realm } from '#web/api/identity.ts'

/** What the shared frame has to know of the application that it frames. */
export type Application<Me> = {
  readonly realm: Realm
  /** Where its pages are found, without a slash at the end. */
  readonly base: string
  /** What stands beside the name of the service; nothing for customers, who know one application alone. */
  readonly label?: string
  /** Under which it is cached who is signed in. */
  readonly meKey: QueryKey
  /** null when a second factor is due before anybody is signed in. */
  readonly signIn: (body: z.input<typeof signIn>) => Promise<Me | null>
  readonly completeSignIn: (body: z.input<typeof secondStep>) => Promise<Me>
  readonly signOut: () => Promise<null>
}
