import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { SignIn } from '#web/frame/doors/sign-in.tsx'
import { CONSOLE } from '../application.ts'
import { PasswordForm } from '../doors/password-form.tsx'

const route = getRouteApi('/sign-in')

/** Most visits need none, so its code is no part of the first page. */
const SecondStep = lazy(async () => ({
  default: (await import('../doors/second-step.tsx')).SecondStep,
}))

export function SignInPage() {
  const steps = { FirstStep: PasswordForm, SecondStep }
  return <SignIn application={CONSOLE} {...steps} search={route.useSearch()} config={route.useLoaderData()} />
}
