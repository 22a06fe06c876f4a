import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { ApiError } from '#web/api/api-error.ts'
import { configQuery, profileQuery, type Realm } from '#web/api/identity.ts'
import { takeMailedToken } from '#web/identity/mailed-token.ts'
import { VERIFY_EMAIL } from './own-pages.ts'

type Place = { readonly pathname: string; readonly searchStr: string }

/**
 * Before a page for those who are signed in: who that is, as `load` gives it. Strangers are sent to the sign-in page, and
 * from there back.
 */
export async function requireSignIn<Me>(location: Place, load: () => Promise<Me>): Promise<Me> {
  // A link of a mail may come before its sign-in: its token must not follow it into the address of that page.
  if (location.pathname === `/${VERIFY_EMAIL}`) takeMailedToken(VERIFY_EMAIL)
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw redirect({ to: '/sign-in', search: { from: location.pathname + location.searchStr } })
  }
}

/** What stands over every page is known before the first one is shown; without it the page is shown all the same. */
export async function preparePages(queryClient: QueryClient, realm: Realm): Promise<void> {
  await Promise.allSettled([
    queryClient.ensureQueryData(configQuery(realm)),
    queryClient.ensureQueryData(profileQuery(realm)),
  ])
}

/** What there is to sign in by and how the service looks, known before a door is shown: nothing on it jumps. null if it can't be learned. */
export const loadConfig = (realm: Realm) => {
  return ({ context }: { readonly context: { readonly queryClient: QueryClient } }) =>
    context.queryClient.ensureQueryData(configQuery(realm)).catch(() => null)
}
