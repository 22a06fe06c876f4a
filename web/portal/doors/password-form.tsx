import { type Me, signInToPortal } from '#web/api/client/session.ts'
import { FirstStepForm, type FirstStepProps } from '#web/frame/doors/first-step-form.tsx'

/** The first factor of a user of the portal. */
export function PasswordForm(props: FirstStepProps<Me>) {
  return <FirstStepForm submit={signInToPortal} {...props} />
}
