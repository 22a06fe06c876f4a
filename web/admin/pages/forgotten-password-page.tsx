import { ForgottenPassword } from '#web/frame/doors/forgotten-password.tsx'
import { CONSOLE } from '../application.ts'

export function ForgottenPasswordPage() {
  return <ForgottenPassword application={CONSOLE} />
}
