import { VerifyEmail } from '#web/frame/doors/verify-email.tsx'
import { CONSOLE } from '../application.ts'

export function VerifyEmailPage() {
  return <VerifyEmail application={CONSOLE} />
}
