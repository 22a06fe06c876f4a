import { getRouteApi, Link } from '@tanstack/react-router'
import { SignIn } from '#web/frame/doors/sign-in.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { PORTAL } from '../application.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const search = route.useSearch()
  const config = route.useLoaderData()
  return (
    <SignIn
      application={PORTAL}
      search={search}
      config={config}
      foot={
        config?.sign_up !== 'closed' && (
          <>
            No account yet?{' '}
            <Link to="/sign-up" search={{ from: search.from }} className={textLinkClasses}>
              Sign up
            </Link>
          </>
        )
      }
    />
  )
}
