import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { signInToPortal } from '#web/api/client/session.ts'
import { SignIn } from '#web/frame/doors/sign-in.tsx'
import { PORTAL } from '../application.ts'
import { OtherDoor } from '../layout/door-layout.tsx'

const route = getRouteApi('/sign-in')

/** Most visits need none, so its code is no part of the first page. */
const SecondStep = lazy(async () => ({
  default: (await import('../doors/second-step.tsx')).SecondStep,
}))

export function SignInPage() {
  const search = route.useSearch()
  const config = route.useLoaderData()
  return (
    <SignIn
      application={PORTAL}
      signIn={signInToPortal}
      SecondStep={SecondStep}
      search={search}
      config={config}
      foot={
        config?.sign_up !== 'closed' && (
          <OtherDoor question="No account yet?" to="/sign-up" label="Sign up" from={search.from} />
        )
      }
    />
  )
}
