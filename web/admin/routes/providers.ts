import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from './signed-in.ts'

const providers = createRoute({ getParentRoute: () => signedIn, path: '/providers' })

const providerList = createRoute({
  getParentRoute: () => providers,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/providers-page.tsx'), 'ProvidersPage'),
})

const provider = createRoute({ getParentRoute: () => providers, path: '$providerId' })

const providerDetail = createRoute({
  getParentRoute: () => provider,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/provider-page.tsx'), 'ProviderPage'),
})

const discover = createRoute({
  getParentRoute: () => provider,
  path: 'models',
  component: lazyRouteComponent(() => import('../pages/discover-page.tsx'), 'DiscoverPage'),
})

/** The upstream servers, and what they have on offer. */
export const providerRoutes = providers.addChildren([
  providerList,
  provider.addChildren([providerDetail, discover]),
])
