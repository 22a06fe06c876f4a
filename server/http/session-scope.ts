import { fastifyCookie } from '@fastify/cookie'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { HttpApp } from './frame.ts'
import type { Guard } from './guard.ts'
import { acceptJsonOnly } from './json-only.ts'
import { refuseForeignOrigins } from './origin.ts'

/**
 * Registers routes that browsers call with a session cookie: JSON alone, no foreign origins, and nothing of it is ever
 * kept by a cache. Who may pass is for the routes to say.
 */
export function registerSessionScope(
  app: HttpApp,
  { publicUrl }: { readonly publicUrl: string | null },
  register: (scope: HttpApp) => void,
): void {
  void app.register(async plain => {
    const scope = plain.withTypeProvider<ZodTypeProvider>()
    await plain.register(fastifyCookie)
    acceptJsonOnly(plain)
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.addHook('onRequest', refuseForeignOrigins(publicUrl))
    register(scope)
  })
}

/** Registers the routes that stand behind a guard. */
export function registerGuarded(app: HttpApp, guard: Guard, register: (scope: HttpApp) => void): void {
  void app.register(async plain => {
    const scope = plain.withTypeProvider<ZodTypeProvider>()
    scope.addHook('onRequest', guard)
    register(scope)
  })
}
