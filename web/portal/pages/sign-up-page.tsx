import { getRouteApi } from '@tanstack/react-router'
import { ProviderLink } from '#web/identity/provider-link.tsx'
import { SignUpForm } from '../doors/sign-up-form.tsx'
import { DoorLayout } from '../layout/door-layout.tsx'
import { useEntering } from '../layout/use-entering.ts'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const { from } = route.useSearch()
  const enter = useEntering(from)
  const config = route.useLoaderData()
  return (
    <DoorLayout
      title="Sign up"
      other={{ question: 'Have an account?', to: '/sign-in', label: 'Sign in', from }}
    >
      {config?.sign_up === 'closed' ? (
        <p>Sign-up is closed. Ask the operator of this service for an account.</p>
      ) : (
        <>
          <SignUpForm onEntered={enter} />
          {config?.oidc && <ProviderLink realm="client" name={config.oidc.name} from={from} />}
        </>
      )}
    </DoorLayout>
  )
}
