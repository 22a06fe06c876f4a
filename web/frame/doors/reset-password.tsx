import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetMailedToken, takeMailedToken } from '#web/identity/mailed-token.ts'
import { ResetPasswordForm } from '#web/identity/reset-password-form.tsx'
import { DoorLayout } from '#web/ui/door-layout.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import type { Application } from '../application.ts'

const PAGE = 'reset-password'

export type ResetPasswordProps = { readonly application: Application }

/** The page that the link of a mail leads to: a new password is chosen on it. */
export function ResetPassword({ application }: ResetPasswordProps) {
  const [token] = useState(() => takeMailedToken(PAGE))
  const navigate = useNavigate()
  return (
    <DoorLayout
      title="Choose a new password"
      application={application.label}
      foot={
        <Link to="/forgotten-password" className={textLinkClasses}>
          Send me another link
        </Link>
      }
    >
      {token === null ? (
        <p>The address of this page is not complete. Open the whole link of the mail.</p>
      ) : (
        <ResetPasswordForm
          realm={application.realm}
          token={token}
          onDone={() => {
            forgetMailedToken(PAGE)
            void navigate({ to: '/sign-in', search: { notice: 'password-set' } })
          }}
        />
      )}
    </DoorLayout>
  )
}
