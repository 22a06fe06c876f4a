import { patchSettings, settings as settingsReply } from '#contract/settings.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import type { AdminParts } from './admin-parts.ts'
import { OWNERS_ONLY } from './roles.ts'

export function registerSettingsRoutes(app: HttpApp, { settings }: AdminParts): void {
  app.get('/admin/settings', { schema: { response: { 200: settingsReply } } }, async () => settings.get())

  app.patch(
    '/admin/settings',
    { config: OWNERS_ONLY, schema: { body: patchSettings, response: { 200: settingsReply } } },
    async (request, reply) => {
      const outcome = await settings.patch(request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}
