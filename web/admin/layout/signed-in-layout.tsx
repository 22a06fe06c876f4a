import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { meQuery } from '#web/api/admin/session.ts'
import { NavigationLinks } from '#web/frame/navigation-links.tsx'
import { OWN_PAGES } from '#web/frame/own-pages.ts'
import { AppShell } from '#web/ui/app-shell.tsx'
import { ToastProvider } from '#web/ui/toast.tsx'
import { CONSOLE } from '../application.ts'
import { DESTINATIONS } from './navigation.ts'
import { SignedInAs } from './signed-in-as.tsx'

/** The frame of every page for a signed-in administrator. */
export function SignedInLayout() {
  const { data: me } = useQuery(meQuery)
  const destinations = me?.must_set_up_two_factor
    ? DESTINATIONS.filter(({ to }) => OWN_PAGES.has(to))
    : DESTINATIONS
  return (
    <ToastProvider>
      <AppShell
        application={CONSOLE.label}
        navigation={onFollow => <NavigationLinks destinations={destinations} onFollow={onFollow} />}
        foot={<SignedInAs />}
      >
        <Outlet />
      </AppShell>
    </ToastProvider>
  )
}
