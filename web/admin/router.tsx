import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { RouteFailure } from '#web/frame/route-failure.tsx'
import { accountRoutes } from './routes/accounts.ts'
import { doorRoutes } from './routes/doors.ts'
import { modelRoutes } from './routes/models.ts'
import { overview } from './routes/overview.ts'
import { ownRoutes } from './routes/own.ts'
import { peopleRoutes } from './routes/people.ts'
import { providerRoutes } from './routes/providers.ts'
import { requestRoutes } from './routes/requests.ts'
import { saleRoutes } from './routes/sales.ts'
import { serviceRoutes } from './routes/service.ts'
import { root, signedIn } from './routes/signed-in.ts'

/** Every page of the console. A page's code is fetched when it is first visited, or when a link to it is touched. */
const routeTree = root.addChildren([
  ...doorRoutes,
  signedIn.addChildren([
    overview,
    accountRoutes,
    ...peopleRoutes,
    providerRoutes,
    modelRoutes,
    requestRoutes,
    ...saleRoutes,
    ...serviceRoutes,
    ...ownRoutes,
  ]),
])

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: RouteFailure,
    scrollRestoration: true,
  })
}
