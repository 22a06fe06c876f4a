import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { z } from 'zod'
import { meQuery } from '#web/api/client/session.ts'
import { VERIFY_EMAIL } from '#web/frame/own-pages.ts'
import { loadConfig, preparePages, requireSignIn } from '#web/frame/require-sign-in.ts'
import { RouteFailure } from '#web/frame/route-failure.tsx'
import { RouteMissing } from '#web/frame/route-missing.tsx'
import { accountSearch, returnSearch, signInSearch } from '#web/frame/searches.ts'
import { usageSearch } from '#web/usage/usage-search.ts'
import { modelFilter } from './models/filter-models.ts'
import { requestSearch } from './requests/request-search.ts'

/** Every page of the portal. A page's code is fetched when it is first visited, or when a link to it is touched. */
const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  notFoundComponent: RouteMissing,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  loader: loadConfig('client'),
  component: lazyRouteComponent(() => import('./pages/sign-in-page.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: returnSearch,
  loader: loadConfig('client'),
  component: lazyRouteComponent(() => import('./pages/sign-up-page.tsx'), 'SignUpPage'),
})

const forgottenPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  loader: loadConfig('client'),
  component: lazyRouteComponent(() => import('./pages/forgotten-password-page.tsx'), 'ForgottenPasswordPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  loader: loadConfig('client'),
  component: lazyRouteComponent(() => import('./pages/reset-password-page.tsx'), 'ResetPasswordPage'),
})

/** Everything that needs a signed-in user. Strangers never fetch its frame. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('./layout/signed-in-layout.tsx'), 'SignedInLayout'),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    await requireSignIn(location, () => queryClient.ensureQueryData(meQuery))
    await preparePages(queryClient, 'client')
  },
})

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview-page.tsx'), 'OverviewPage'),
})

const keys = createRoute({ getParentRoute: () => signedIn, path: '/keys' })

const rotateKey = createRoute({
  getParentRoute: () => keys,
  path: '$keyId/rotate',
  validateSearch: z.object({ to: z.string().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./pages/rotate-key-page.tsx'), 'RotateKeyPage'),
})

const keyList = createRoute({
  getParentRoute: () => keys,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/keys-page.tsx'), 'KeysPage'),
})

const usage = createRoute({
  getParentRoute: () => signedIn,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyRouteComponent(() => import('./pages/usage-page.tsx'), 'UsagePage'),
})

const requests = createRoute({ getParentRoute: () => signedIn, path: '/requests' })

const requestList = createRoute({
  getParentRoute: () => requests,
  path: '/',
  validateSearch: requestSearch,
  component: lazyRouteComponent(() => import('./pages/requests-page.tsx'), 'RequestsPage'),
})

const request = createRoute({
  getParentRoute: () => requests,
  path: '$requestId',
  component: lazyRouteComponent(() => import('./pages/request-page.tsx'), 'RequestPage'),
})

const models = createRoute({ getParentRoute: () => signedIn, path: '/models' })

const modelList = createRoute({
  getParentRoute: () => models,
  path: '/',
  validateSearch: modelFilter,
  component: lazyRouteComponent(() => import('./pages/models-page.tsx'), 'ModelsPage'),
})

/** The id of a model is all that follows: it may hold slashes. */
const model = createRoute({
  getParentRoute: () => models,
  path: '$',
  component: lazyRouteComponent(() => import('./pages/model-page.tsx'), 'ModelPage'),
})

const playground = createRoute({
  getParentRoute: () => signedIn,
  path: '/playground',
  validateSearch: z.object({ model: z.string().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./pages/playground-page.tsx'), 'PlaygroundPage'),
})

const credits = createRoute({ getParentRoute: () => signedIn, path: '/credits' })

const creditsHome = createRoute({
  getParentRoute: () => credits,
  path: '/',
  validateSearch: z.object({ history: z.literal('orders').optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./pages/credits-page.tsx'), 'CreditsPage'),
})

/** Payment pages lead back to here; `cancelled` when nothing was paid there. */
const order = createRoute({
  getParentRoute: () => credits,
  path: 'orders/$orderId',
  validateSearch: z.object({ cancelled: z.literal(1).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./pages/order-page.tsx'), 'OrderPage'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: accountSearch,
  component: lazyRouteComponent(() => import('./pages/account-page.tsx'), 'AccountPage'),
})

const verifyEmail = createRoute({
  getParentRoute: () => signedIn,
  path: `/${VERIFY_EMAIL}`,
  component: lazyRouteComponent(() => import('./pages/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const routeTree = root.addChildren([
  signIn,
  signUp,
  forgottenPassword,
  resetPassword,
  signedIn.addChildren([
    overview,
    keys.addChildren([keyList, rotateKey]),
    usage,
    requests.addChildren([requestList, request]),
    models.addChildren([modelList, model]),
    playground,
    credits.addChildren([creditsHome, order]),
    account,
    verifyEmail,
  ]),
])

export function createPortalRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/portal',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: RouteFailure,
    scrollRestoration: true,
  })
}
