import { startApplication } from '#web/frame/start-application.tsx'
import { createPortalRouter } from './router.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>
  }
}

startApplication({ realm: 'client', createRouter: createPortalRouter, doors: ['/sign-in', '/sign-up'] })
