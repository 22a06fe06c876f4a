import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { createQueryClient } from '#web/api/query-client.ts'
import { followTheme } from '#web/ui/theme.ts'
import { createPortalRouter } from './router.tsx'
import '#web/ui/theme.css'

// Compiling schemas to code would need what the content security policy forbids.
z.config({ jitless: true })
followTheme()

const queryClient = createQueryClient(() => void signInAgain())
const router = createPortalRouter(queryClient)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** The session ended while the page was open: after signing in, the visitor is back where they were. */
async function signInAgain(): Promise<void> {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in' || pathname === '/sign-up') return
  queryClient.clear()
  await router.navigate({ to: '/sign-in', search: { from: href }, replace: true })
}

const root = document.getElementById('root')
if (root === null) throw new Error('The document has no place for the application')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
