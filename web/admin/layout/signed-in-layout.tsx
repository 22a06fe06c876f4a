import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { meQuery } from '#web/api/admin/session.ts'
import { NavigationLinks } from '#web/frame/navigation-links.tsx'
import { SignedInAs } from '#web/frame/signed-in-as.tsx'
import { AppShell } from '#web/ui/app-shell.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ToastProvider } from '#web/ui/toast.tsx'
import { CONSOLE } from '../application.ts'
import { DESTINATIONS } from './navigation.ts'
import { OWN_PAGES } from './own-pages.ts'
import { ROLE_WORDS } from './role-words.ts'

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
        foot={
          <SignedInAs
            person={me?.administrator}
            signOut={CONSOLE.signOut}
            note={
              me && (
                <p className="mt-1.5">
                  <Badge>{ROLE_WORDS[me.administrator.role].label}</Badge>
                </p>
              )
            }
          />
        }
      >
        <Outlet />
      </AppShell>
    </ToastProvider>
  )
}
