import type { FastifyInstance, RouteOptions } from 'fastify'

const registered = new WeakMap<object, RouteOptions[]>()

/** Notes every route that is registered from now on. */
export function noteRoutes(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  registered.set(app.server, routes)
  app.addHook('onRoute', route => {
    routes.push(route)
  })
}

/** Every route of the framework, so that what must hold for all of them can be checked for those to come, too. */
export function routesOf(app: Pick<FastifyInstance, 'server'>): readonly RouteOptions[] {
  return registered.get(app.server) ?? []
}
