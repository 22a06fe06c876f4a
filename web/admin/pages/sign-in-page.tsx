import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import { signInToConsole } from '#web/api/admin/session.ts'
import { SignIn } from '#web/frame/doors/sign-in.tsx'
import { CONSOLE } from '../application.ts'

const route = getRouteApi('/sign-in')

/** Most visits need none, so its code is no part of the first page. */
const SecondStep = lazy(async () => ({
  default: (await import('../doors/second-step.tsx')).SecondStep,
}))

export function SignInPage() {
  const steps = { signIn: signInToConsole, SecondStep }
  return <SignIn application={CONSOLE} {...steps} search={route.useSearch()} config={route.useLoaderData()} />
}
