import { getRouteApi } from '@tanstack/react-router'
import { SignIn } from '#web/frame/doors/sign-in.tsx'
import { CONSOLE } from '../application.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  return <SignIn application={CONSOLE} search={route.useSearch()} config={route.useLoaderData()} />
}
