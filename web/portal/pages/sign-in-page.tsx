import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { oidcMessage } from '#web/identity/oidc-message.ts'
import { ProviderLink } from '#web/identity/provider-link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { PasswordForm } from '../doors/password-form.tsx'
import { DoorLayout } from '../layout/door-layout.tsx'
import { useEntering } from '../layout/use-entering.ts'

const route = getRouteApi('/sign-in')

/** Most visits need none, so its code is no part of the first page. */
const SecondStep = lazy(async () => ({
  default: (await import('../doors/second-step.tsx')).SecondStep,
}))

export function SignInPage() {
  const { from, step } = route.useSearch()
  const [isCodeDue, setCodeDue] = useState(step === 'second-factor')
  const enter = useEntering(from)
  if (isCodeDue) {
    return (
      <DoorLayout title="Second factor">
        <Suspense fallback={<Skeleton className="h-52" />}>
          <SecondStep onDone={enter} onStartOver={() => setCodeDue(false)} />
        </Suspense>
      </DoorLayout>
    )
  }
  return <FirstStep onCodeDue={() => setCodeDue(true)} />
}

function FirstStep({ onCodeDue }: { readonly onCodeDue: () => void }) {
  const { from, error, notice } = route.useSearch()
  const enter = useEntering(from)
  const config = route.useLoaderData()
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
