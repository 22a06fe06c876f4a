import { startApplication } from '#web/frame/start-application.tsx'
import { PORTAL } from './application.ts'
import { createPortalRouter } from './router.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>
  }
}

startApplication({ application: PORTAL, createRouter: createPortalRouter, doors: ['/sign-in', '/sign-up'] })
