import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { auditSearch } from '../audit/audit-search.ts'
import { signedIn } from './signed-in.ts'

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../pages/audit-page.tsx'), 'AuditPage'),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings-page.tsx'), 'SettingsPage'),
})

/** The service as a whole: what was changed in it, and what is decided for it. */
export const serviceRoutes = [audit, settings] as const
