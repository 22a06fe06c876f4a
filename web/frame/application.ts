import type { QueryKey } from '@tanstack/react-query'
import type { Realm } from '#web/api/identity.ts'

/** What the shared frame has to know of the application that it frames. */
export type Application = {
  readonly realm: Realm
  /** Where its pages are found, without a slash at the end. */
  readonly base: string
  /** What stands beside the name of the service; nothing for customers, who know one application alone. */
  readonly label?: string
  /** Under which it is cached who is signed in. */
  readonly meKey: QueryKey
}
