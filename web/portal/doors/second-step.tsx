import { completeSignIn, type Me } from '#web/api/client/session.ts'
import { SecondStepForm } from '#web/identity/second-step-form.tsx'

export type SecondStepProps = { readonly onDone: (me: Me) => void; readonly onStartOver: () => void }

/** The second factor of a user of the portal. */
export function SecondStep(props: SecondStepProps) {
  return <SecondStepForm submit={completeSignIn} {...props} />
}
