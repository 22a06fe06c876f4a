import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetMailedToken, takeMailedToken } from '#web/identity/mailed-token.ts'
import { ResetPasswordForm } from '#web/identity/reset-password-form.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { DoorLayout } from '../layout/door-layout.tsx'

const PAGE = 'reset-password'

export function ResetPasswordPage() {
  const [token] = useState(() => takeMailedToken(PAGE))
  const navigate = useNavigate()
  return (
    <DoorLayout
      title="Choose a new password"
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
          realm="client"
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
