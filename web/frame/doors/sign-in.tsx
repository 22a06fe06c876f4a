import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { z } from 'zod'
import type { PublicConfig } from '#web/api/identity.ts'
import { oidcMessage } from '#web/identity/oidc-message.ts'
import { ProviderLink } from '#web/identity/provider-link.tsx'
import { DoorLayout } from '#web/ui/door-layout.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Application } from '../application.ts'
import type { signInSearch } from '../searches.ts'
import { useEntering } from '../use-entering.ts'
import { PasswordForm } from './password-form.tsx'

/** Most visits need none, so its code is no part of the first page. */
const SecondStepForm = lazy(async () => ({
  default: (await import('#web/identity/second-step-form.tsx')).SecondStepForm,
}))

export type SignInProps<Me extends object> = {
  readonly application: Application<Me>
  /** What the address of the page says. */
  readonly search: z.output<typeof signInSearch>
  /** null when it could not be learned. */
  readonly config: PublicConfig | null
  /** The other door: 'No account yet? Sign up'. */
  readonly foot?: ReactNode
}

/** The page to sign in on, by one factor or two. */
export function SignIn<Me extends object>(props: SignInProps<Me>) {
  const { application, search } = props
  const [isCodeDue, setCodeDue] = useState(search.step === 'second-factor')
  const enter = useEntering(application, search.from)
  if (!isCodeDue) return <FirstStep {...props} enter={enter} onCodeDue={() => setCodeDue(true)} />
  return (
    <DoorLayout title="Second factor" application={application.label}>
      <Suspense fallback={<Skeleton className="h-52" />}>
        <SecondStepForm
          submit={application.completeSignIn}
          // The form hands on what `completeSignIn` gives, whose type is lost on its way through `lazy`.
          onDone={me => enter(me as Me)}
          onStartOver={() => setCodeDue(false)}
        />
      </Suspense>
    </DoorLayout>
  )
}

type FirstStepProps<Me extends object> = SignInProps<Me> & {
  readonly enter: (me: Me) => void
  readonly onCodeDue: () => void
}

function FirstStep<Me extends object>(props: FirstStepProps<Me>) {
  const { application, search, config, foot, enter, onCodeDue } = props
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
      <PasswordForm
        application={application}
        onEntered={enter}
        onCodeDue={onCodeDue}
        mail={config?.mail === true}
      />
      {config?.oidc && <ProviderLink realm={application.realm} name={config.oidc.name} from={search.from} />}
    </DoorLayout>
  )
}
