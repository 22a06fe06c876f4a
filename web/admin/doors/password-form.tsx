import { type Me, signInToConsole } from '#web/api/admin/session.ts'
import { FirstStepForm, type FirstStepProps } from '#web/frame/doors/first-step-form.tsx'

/** The first factor of an administrator. */
export function PasswordForm(props: FirstStepProps<Me>) {
  return <FirstStepForm submit={signInToConsole} {...props} />
}
