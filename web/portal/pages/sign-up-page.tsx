import { getRouteApi, Link } from '@tanstack/react-router'
import { useEntering } from '#web/frame/use-entering.ts'
import { ProviderLink } from '#web/identity/provider-link.tsx'
import { DoorLayout } from '#web/ui/door-layout.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { PORTAL } from '../application.ts'
import { SignUpForm } from '../doors/sign-up-form.tsx'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const { from } = route.useSearch()
  const enter = useEntering(PORTAL, from)
  const config = route.useLoaderData()
  return (
    <DoorLayout
      title="Sign up"
      foot={
        <>
          Have an account?{' '}
          <Link to="/sign-in" search={{ from }} className={textLinkClasses}>
            Sign in
          </Link>
        </>
      }
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
