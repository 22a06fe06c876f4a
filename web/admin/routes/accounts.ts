import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { usageSearch } from '#web/usage/usage-search.ts'
import { searched } from '../layout/searched.ts'
import { signedIn } from './signed-in.ts'

const accounts = createRoute({ getParentRoute: () => signedIn, path: '/accounts' })

const accountList = createRoute({
  getParentRoute: () => accounts,
  path: '/',
  validateSearch: searched,
  component: lazyRouteComponent(() => import('../pages/accounts-page.tsx'), 'AccountsPage'),
})

const oneAccount = createRoute({
  getParentRoute: () => accounts,
  path: '$accountId',
  validateSearch: usageSearch.extend({
    tab: z.enum(['usage', 'ledger', 'users', 'keys']).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('../pages/one-account-page.tsx'), 'OneAccountPage'),
})

export const accountRoutes = accounts.addChildren([accountList, oneAccount])
