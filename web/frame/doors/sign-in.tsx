import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import type { z } from 'zod'
import type { PublicConfig } from '#web/api/identity.ts'
import { oidcMessage } from '#web/identity/oidc-message.ts'
import { ProviderLink } from '#web/identity/provider-link.tsx'
import type { SecondStepFormProps } from '#web/identity/second-step-form.tsx'
import { DoorLayout } from '#web/ui/door-layout.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Application } from '../application.ts'
import type { signInSearch } from '../searches.ts'
import { useEntering } from '../use-entering.ts'
import { FirstStepForm, type FirstStepFormProps } from './first-step-form.tsx'

export type SignInProps<Me> = {
  readonly application: Application
  /** Shows the first factor; null when a second one is due. */
  readonly signIn: FirstStepFormProps<Me>['submit']
  /** The form for the second factor, which knows whom it signs in, and may be loaded when it is needed. */
  readonly SecondStep: ComponentType<Omit<SecondStepFormProps<Me>, 'submit'>>
  /** What the address of the page says. */
  readonly search: z.output<typeof signInSearch>
  /** null when it could not be learned. */
  readonly config: PublicConfig | null
  /** The other door: 'No account yet? Sign up'. */
  readonly foot?: ReactNode
}

/** The page to sign in on, by one factor or two. */
export function SignIn<Me>(props: SignInProps<Me>) {
  const { application, SecondStep, search } = props
  const [isCodeDue, setCodeDue] = useState(search.step === 'second-factor')
  const enter = useEntering<Me>(application, search.from)
  if (!isCodeDue) return <FirstDoor {...props} onEntered={enter} onCodeDue={() => setCodeDue(true)} />
  return (
    <DoorLayout title="Second factor" application={application.label}>
      <Suspense fallback={<Skeleton className="h-52" />}>
        <SecondStep onDone={enter} onStartOver={() => setCodeDue(false)} />
      </Suspense>
    </DoorLayout>
  )
}

type FirstDoorProps<Me> = SignInProps<Me> & Pick<FirstStepFormProps<Me>, 'onEntered' | 'onCodeDue'>

function FirstDoor<Me>(props: FirstDoorProps<Me>) {
  const { application, signIn, search, config, foot, onEntered, onCodeDue } = props
  const failure = oidcMessage(search.error)
  return (
    <DoorLayout title="Sign in" application={application.label} foot={foot}>
      <div role="alert" className="mb-5 empty:hidden">
        {failure && <Notice tone="bad">{failure}</Notice>}
      </div>
      <div role="status" className="mb-5 empty:hidden">
        {search.notice === 'password-set' && (
          <Notice tone="gold">Your new password is set. Sign in with it.</Notice>
        )}
      </div>
      <FirstStepForm
        submit={signIn}
        onEntered={onEntered}
        onCodeDue={onCodeDue}
        mail={config?.mail === true}
      />
      {config?.oidc && <ProviderLink realm={application.realm} name={config.oidc.name} from={search.from} />}
    </DoorLayout>
  )
}
