import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { configQuery, profileQuery } from '#web/api/identity.ts'
import { OWN_PAGES } from '#web/frame/own-pages.ts'
import { ResendVerification } from '#web/identity/resend-verification.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Reminds whoever has not confirmed their address, where the service sends mail. Both are there before the page is. */
export function UnconfirmedEmail() {
  const { data: config } = useQuery(configQuery('client'))
  const { data: profile } = useQuery(profileQuery('client'))
  const saysItself = useRouterState({
    select: ({ location }) => OWN_PAGES.has(location.pathname),
  })
  if (!config?.mail || !profile || profile.email_verified || saysItself) return null
  return (
    <div className="mb-8">
      <Notice tone="gold">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0">
            Confirm your address: a mail with a link is on its way to{' '}
            <strong className="wrap-anywhere">{profile.email}</strong>.
          </p>
          <ResendVerification realm="client" />
        </div>
      </Notice>
    </div>
  )
}
