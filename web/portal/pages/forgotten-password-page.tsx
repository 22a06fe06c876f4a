import { Link } from '@tanstack/react-router'
import { ForgottenPasswordForm } from '#web/identity/forgotten-password-form.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { DoorLayout } from '../layout/door-layout.tsx'

export function ForgottenPasswordPage() {
  return (
    <DoorLayout
      title="Forgotten password"
      foot={
        <Link to="/sign-in" className={textLinkClasses}>
          Back to sign-in
        </Link>
      }
    >
      <ForgottenPasswordForm realm="client" />
    </DoorLayout>
  )
}
