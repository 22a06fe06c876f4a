import { ResetPassword } from '#web/frame/doors/reset-password.tsx'
import { PORTAL } from '../application.ts'

export function ResetPasswordPage() {
  return <ResetPassword application={PORTAL} />
}
