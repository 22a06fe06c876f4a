import {
  completeSignIn,
  type Me,
  meQuery,
  signInToConsole,
  signOutOfConsole,
} from '#web/api/admin/session.ts'
import type { Application } from '#web/frame/application.ts'

export const CONSOLE: Application<Me> = {
  realm: 'admin',
  base: '/console',
  label: 'Console',
  meKey: meQuery.queryKey,
  signIn: signInToConsole,
  completeSignIn,
  signOut: signOutOfConsole,
}
