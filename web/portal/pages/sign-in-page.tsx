import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { SignIn } from '#web/frame/doors/sign-in.tsx'
import { PORTAL } from '../application.ts'
import { PasswordForm } from '../doors/password-form.tsx'
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
      FirstStep={PasswordForm}
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
