import { Outlet } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { NavigationLinks } from '#web/frame/navigation-links.tsx'
import { AppShell, navigationLinkClasses } from '#web/ui/app-shell.tsx'
import { ToastProvider } from '#web/ui/toast.tsx'
import { DESTINATIONS } from './navigation.ts'
import { SignedInAs } from './signed-in-as.tsx'
import { UnconfirmedEmail } from './unconfirmed-email.tsx'

/** The frame of every page for a signed-in user. */
export function SignedInLayout() {
  return (
    <ToastProvider>
      <AppShell
        navigation={onFollow => (
          <>
            <NavigationLinks destinations={DESTINATIONS} onFollow={onFollow} />
            {/* An application of its own. */}
            <a href="/docs/" className={navigationLinkClasses}>
              <BookOpen className="size-4.5" aria-hidden="true" />
              API reference
            </a>
          </>
        )}
        foot={<SignedInAs />}
      >
        <UnconfirmedEmail />
        <Outlet />
      </AppShell>
    </ToastProvider>
  )
}
