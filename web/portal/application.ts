import { completeSignIn, type Me, meQuery, signInToPortal, signOutOfPortal } from '#web/api/client/session.ts'
import type { Application } from '#web/frame/application.ts'

export const PORTAL: Application<Me> = {
  realm: 'client',
  base: '/portal',
  meKey: meQuery.queryKey,
  signIn: signInToPortal,
  completeSignIn,
  signOut: signOutOfPortal,
}
