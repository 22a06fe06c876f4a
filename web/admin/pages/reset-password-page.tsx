import { ResetPassword } from '#web/frame/doors/reset-password.tsx'
import { CONSOLE } from '../application.ts'

export function ResetPasswordPage() {
  return <ResetPassword application={CONSOLE} />
}
