import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requestSearch } from '../requests/request-search.ts'
import { signedIn } from './signed-in.ts'

const requests = createRoute({ getParentRoute: () => signedIn, path: '/requests' })

const requestList = createRoute({
  getParentRoute: () => requests,
  path: '/',
  validateSearch: requestSearch,
  component: lazyRouteComponent(() => import('../pages/requests-page.tsx'), 'RequestsPage'),
})

const request = createRoute({
  getParentRoute: () => requests,
  path: '$requestId',
  component: lazyRouteComponent(() => import('../pages/request-page.tsx'), 'RequestPage'),
})

/** Single requests, and the story of each. */
export const requestRoutes = requests.addChildren([requestList, request])
