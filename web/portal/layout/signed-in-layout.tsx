import { Link, Outlet } from '@tanstack/react-router'
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
        navigation={onFollow =>
          DESTINATIONS.map(({ to, label, Icon }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              className={navigationLinkClasses}
              onClick={onFollow}
            >
              <Icon className="size-4.5" aria-hidden="true" />
              {label}
            </Link>
          ))
        }
        foot={<SignedInAs />}
      >
        <UnconfirmedEmail />
        <Outlet />
      </AppShell>
    </ToastProvider>
  )
}
