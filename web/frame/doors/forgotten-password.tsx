import { Link } from '@tanstack/react-router'
import { ForgottenPasswordForm } from '#web/identity/forgotten-password-form.tsx'
import { DoorLayout } from '#web/ui/door-layout.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import type { Application } from '../application.ts'

export type ForgottenPasswordProps = {
  readonly application: Application
}

/** The page to ask for a link on by which a new password is chosen. */
export function ForgottenPassword({ application }: ForgottenPasswordProps) {
  return (
    <DoorLayout
      title="Forgotten password"
      application={application.label}
      foot={
        <Link to="/sign-in" className={textLinkClasses}>
          Back to sign-in
        </Link>
      }
    >
      <ForgottenPasswordForm realm={application.realm} />
    </DoorLayout>
  )
}
