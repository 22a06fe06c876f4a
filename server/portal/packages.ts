import { clientPackageList } from '#contract/catalog.ts'
import type { PublishedCatalog } from '#domains/catalog/published.ts'
import type { HttpApp } from '#server/http/frame.ts'

/** The packages of credits on sale: the same for everybody. */
export function registerClientPackageRoute(
  app: HttpApp,
  { published }: { readonly published: () => Pick<PublishedCatalog, 'packages'> },
): void {
  app.get('/client/packages', { schema: { response: { 200: clientPackageList } } }, async (_request, reply) =>
    reply.send({ object: 'list', data: [...published().packages], next_cursor: null }),
  )
}
