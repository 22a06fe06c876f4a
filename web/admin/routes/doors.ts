import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadConfig } from '#web/frame/require-sign-in.ts'
import { signInSearch } from '#web/frame/searches.ts'
import { root } from './signed-in.ts'

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  loader: loadConfig('admin'),
  component: lazyRouteComponent(() => import('../pages/sign-in-page.tsx'), 'SignInPage'),
})

const forgottenPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  loader: loadConfig('admin'),
  component: lazyRouteComponent(
    () => import('../pages/forgotten-password-page.tsx'),
    'ForgottenPasswordPage',
  ),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  loader: loadConfig('admin'),
  component: lazyRouteComponent(() => import('../pages/reset-password-page.tsx'), 'ResetPasswordPage'),
})

/** The pages for whoever is not signed in. */
export const doorRoutes = [signIn, forgottenPassword, resetPassword] as const
