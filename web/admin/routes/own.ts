import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { VERIFY_EMAIL } from '#web/frame/own-pages.ts'
import { accountSearch } from '#web/frame/searches.ts'
import { signedIn } from './signed-in.ts'

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import('../pages/account-page.tsx'), 'AccountPage'),
})

const verifyEmail = createRoute({
  getParentRoute: () => signedIn,
  path: `/${VERIFY_EMAIL}`,
  component: lazyRouteComponent(() => import('../pages/verify-email-page.tsx'), 'VerifyEmailPage'),
})

/** The pages about how one signs in oneself. */
export const ownRoutes = [account, verifyEmail] as const
