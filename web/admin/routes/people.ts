import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searched } from '../layout/searched.ts'
import { signedIn } from './signed-in.ts'

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  validateSearch: searched,
  component: lazyRouteComponent(() => import('../pages/users-page.tsx'), 'UsersPage'),
})

const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  validateSearch: searched,
  component: lazyRouteComponent(() => import('../pages/keys-page.tsx'), 'KeysPage'),
})

const administrators = createRoute({
  getParentRoute: () => signedIn,
  path: '/administrators',
  component: lazyRouteComponent(() => import('../pages/administrators-page.tsx'), 'AdministratorsPage'),
})

/** Who uses the service and who operates it, with the keys of all. */
export const peopleRoutes = [users, keys, administrators] as const
