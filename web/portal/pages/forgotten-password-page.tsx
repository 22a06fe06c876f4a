import { ForgottenPassword } from '#web/frame/doors/forgotten-password.tsx'
import { PORTAL } from '../application.ts'

export function ForgottenPasswordPage() {
  return <ForgottenPassword application={PORTAL} />
}
