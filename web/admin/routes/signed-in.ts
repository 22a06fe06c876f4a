import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { meQuery } from '#web/api/admin/session.ts'
import { OWN_PAGES } from '#web/frame/own-pages.ts'
import { preparePages, requireSignIn } from '#web/frame/require-sign-in.ts'
import { RouteMissing } from '#web/frame/route-missing.tsx'

/** Stands above every route of the console. */
export const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  notFoundComponent: RouteMissing,
})

/** Everything that needs a signed-in administrator. Strangers never fetch its frame. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('../layout/signed-in-layout.tsx'), 'SignedInLayout'),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const me = await requireSignIn(location, () => queryClient.ensureQueryData(meQuery))
    await preparePages(queryClient, 'admin')
    // Whoever has to set up a second factor first is refused everything else.
    if (me.must_set_up_two_factor && !OWN_PAGES.has(location.pathname)) throw redirect({ to: '/account' })
  },
})
