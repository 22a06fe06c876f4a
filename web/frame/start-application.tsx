import { CSPProvider } from '@base-ui/react/csp-provider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import type { ApiError } from '#web/api/api-error.ts'
import { createQueryClient } from '#web/api/query-client.ts'
import { ApplicationContext } from '#web/ui/brand.ts'
import { followTheme } from '#web/ui/theme.ts'
import type { Application } from './application.ts'
import { BrandedApplication } from './branded-application.tsx'
import '#web/ui/theme.css'

export type StartOptions<Router extends AnyRouter> = {
  readonly application: Application
  readonly createRouter: (queryClient: QueryClient) => Router
  /** The addresses of pages for strangers, where it is no news that nobody is signed in. */
  readonly doors: readonly string[]
  /** Told of every refusal of what somebody who is signed in may not do. */
  readonly onForbidden?: (error: ApiError, running: Running<Router>) => void
}

/** What runs once an application has started. */
export type Running<Router extends AnyRouter> = {
  readonly router: Router
  readonly queryClient: QueryClient
}

/** Shows an application in the document's place for it. */
export function startApplication<Router extends AnyRouter>(options: StartOptions<Router>): void {
  // Compiling schemas to code would need what the content security policy forbids.
  z.config({ jitless: true })
  followTheme()
  const queryClient = createQueryClient({
    onSignedOut: () => void signInAgain(running, options.doors),
    onForbidden: error => options.onForbidden?.(error, running),
  })
  const router = options.createRouter(queryClient)
  const running = { router, queryClient }
  const root = document.getElementById('root')
  if (root === null) throw new Error('The document has no place for the application')
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <BrandedApplication realm={options.application.realm}>
            <ApplicationContext value={options.application.label}>
              <RouterProvider router={router} />
            </ApplicationContext>
          </BrandedApplication>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}

/** The session ended while the page was open: after signing in, the visitor is back where they were. */
async function signInAgain(
  { router, queryClient }: Running<AnyRouter>,
  doors: readonly string[],
): Promise<void> {
  const { pathname, href } = router.state.location
  if (doors.includes(pathname)) return
  queryClient.clear()
  await router.navigate({ to: '/sign-in', search: { from: href }, replace: true })
}
