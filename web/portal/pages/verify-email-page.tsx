import { VerifyEmail } from '#web/frame/doors/verify-email.tsx'
import { PORTAL } from '../application.ts'

export function VerifyEmailPage() {
  return <VerifyEmail application={PORTAL} />
}
