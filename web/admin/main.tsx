import { startApplication } from '#web/frame/start-application.tsx'
import { CONSOLE } from './application.ts'
import { createConsoleRouter } from './router.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

startApplication({
  application: CONSOLE,
  createRouter: createConsoleRouter,
  doors: ['/sign-in'],
  onForbidden: async ({ code }, { router, queryClient }) => {
    // The service has begun to require a second factor while the page was open: the way to it is shown.
    if (code !== 'two_factor_required') return
    await queryClient.invalidateQueries({ queryKey: CONSOLE.meKey })
    await router.invalidate()
  },
})
