import { liveUseList } from '#contract/keys.ts'
import type { LiveUse } from '#domains/keys/live-use.ts'
import type { HttpApp } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'
import { pageReply } from '#server/http/paging.ts'

/** What runs now against the limits of the user's own keys. */
export function registerLiveRoute(app: HttpApp, { liveUse }: { readonly liveUse: LiveUse }): void {
  app.get('/client/live', { schema: { response: { 200: liveUseList } } }, async (request, reply) => {
    const items = await liveUse.list(userOf(request))
    return reply.send({ ...pageReply({ items, next: null }), next_cursor: null })
  })
}
