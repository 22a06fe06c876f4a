import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { usageSearch } from '#web/usage/usage-search.ts'
import { OVERVIEW_RANGES } from '../overview/span-of.ts'
import { signedIn } from './signed-in.ts'

export const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: z.object({
    range: z.enum(OVERVIEW_RANGES).optional().catch(undefined),
    show: usageSearch.shape.show,
  }),
  component: lazyRouteComponent(() => import('../pages/overview-page.tsx'), 'OverviewPage'),
})
