import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { completeSignIn } from '#web/api/client/session.ts'
import { configQuery } from '#web/api/identity.ts'
import { oidcMessage } from '#web/identity/oidc-message.ts'
import { ProviderLink } from '#web/identity/provider-link.tsx'
import { SecondStepForm } from '#web/identity/second-step-form.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { PasswordForm } from '../doors/password-form.tsx'
import { DoorLayout } from '../layout/door-layout.tsx'
import { useEntering } from '../layout/use-entering.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { from, step } = route.useSearch()
  const [isCodeDue, setCodeDue] = useState(step === 'second-factor')
  const enter = useEntering(from)
  if (isCodeDue) {
    return (
      <DoorLayout title="Second factor">
        <SecondStepForm submit={completeSignIn} onDone={enter} onStartOver={() => setCodeDue(false)} />
      </DoorLayout>
    )
  }
  return <FirstStep onCodeDue={() => setCodeDue(true)} />
}

function FirstStep({ onCodeDue }: { readonly onCodeDue: () => void }) {
  const { from, error, notice } = route.useSearch()
  const enter = useEntering(from)
  const { data: config } = useQuery(configQuery('client'))
  const failure = oidcMessage(error)
  return (
    <DoorLayout
      title="Sign in"
      foot={
        config?.sign_up !== 'closed' && (
          <>
            No account yet?{' '}
            <Link to="/sign-up" search={{ from }} className={textLinkClasses}>
              Sign up
            </Link>
          </>
        )
      }
    >
      <div role="alert" className="mb-5 empty:hidden">
        {failure && <Notice tone="bad">{failure}</Notice>}
      </div>
      <div role="status" className="mb-5 empty:hidden">
        {notice === 'password-set' && <Notice tone="gold">Your new password is set. Sign in with it.</Notice>}
      </div>
      <PasswordForm onEntered={enter} onCodeDue={onCodeDue} mail={config?.mail === true} />
      {config?.oidc && <ProviderLink realm="client" name={config.oidc.name} from={from} />}
    </DoorLayout>
  )
}
