import type { HttpApp } from '#server/http/frame.ts'

/** A route as the framework knows it, with the schemas that its requests and replies are held against. */
export type CollectedRoute = {
  readonly method: string
  /** As it was registered: `/client/keys/:id`, `/v1/models/*`. */
  readonly path: string
  /** Schemas of our schema language, as far as the route has them; replies by their status. */
  readonly schema?: {
    readonly body?: unknown
    readonly querystring?: unknown
    readonly params?: unknown
    readonly response?: Readonly<Record<string, unknown>>
  }
}

/** Notes every route but hidden ones, which are pages and files, that is registered from now on; the list that it gives grows until the app is ready. */
export function collectRoutes(app: HttpApp): readonly CollectedRoute[] {
  const routes: CollectedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    if (schema.hide) return
    for (const one of [method].flat()) {
      // The framework's type leaves replies open; ours are objects by status on every route.
      const response = schema.response as Readonly<Record<string, unknown>> | undefined
      routes.push({ method: one, path: url, schema: { ...schema, response } })
    }
  })
  return routes
}
