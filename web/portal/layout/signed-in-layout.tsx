import { Outlet } from '@tanstack/react-router'
import { NavigationLinks } from '#web/frame/navigation-links.tsx'
import { AppShell } from '#web/ui/app-shell.tsx'
import { ToastProvider } from '#web/ui/toast.tsx'
import { DESTINATIONS } from './navigation.ts'
import { SignedInAs } from './signed-in-as.tsx'
import { UnconfirmedEmail } from './unconfirmed-email.tsx'

/** The frame of every page for a signed-in user. */
export function SignedInLayout() {
  return (
    <ToastProvider>
      <AppShell
        navigation={onFollow => <NavigationLinks destinations={DESTINATIONS} onFollow={onFollow} />}
        foot={<SignedInAs />}
      >
        <UnconfirmedEmail />
        <Outlet />
      </AppShell>
    </ToastProvider>
  )
}
