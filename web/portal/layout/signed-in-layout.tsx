import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { meQuery } from '#web/api/client/session.ts'
import { NavigationLinks } from '#web/frame/navigation-links.tsx'
import { SignedInAs } from '#web/frame/signed-in-as.tsx'
import { AppShell } from '#web/ui/app-shell.tsx'
import { ToastProvider } from '#web/ui/toast.tsx'
import { PORTAL } from '../application.ts'
import { DESTINATIONS } from './navigation.ts'
import { UnconfirmedEmail } from './unconfirmed-email.tsx'

/** The frame of every page for a signed-in user. */
export function SignedInLayout() {
  const { data: me } = useQuery(meQuery)
  return (
    <ToastProvider>
      <AppShell
        navigation={onFollow => <NavigationLinks destinations={DESTINATIONS} onFollow={onFollow} />}
        foot={<SignedInAs person={me?.user} signOut={PORTAL.signOut} />}
      >
        <UnconfirmedEmail />
        <Outlet />
      </AppShell>
    </ToastProvider>
  )
}
