import { z } from 'zod'
import { adminMe, signIn as signInBody } from '#contract/sessions.ts'
import { clientNetwork } from '#lib/client-address.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { administratorOf } from '#server/http/guard.ts'
import type { SessionCookie } from '#server/http/session-cookie.ts'
import type { AdminParts } from './admin-parts.ts'

type Parts = AdminParts & { readonly cookie: SessionCookie }

/** Signing in: the one route that a stranger may call. */
export function registerAdminDoor(app: HttpApp, { signIn, administrators, cookie }: Parts): void {
  app.post(
    '/admin/sign-in',
    { schema: { body: signInBody, response: { 200: adminMe } } },
    async (request, reply) => {
      const outcome = await signIn('admin', { ...request.body, network: clientNetwork(request.ip) })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      const { token, maxAgeSeconds, subjectId } = outcome.value
      cookie.set(reply, token, maxAgeSeconds)
      return reply.send({ administrator: await administrators.get(subjectId) })
    },
  )
}

export function registerAdminSessionRoutes(app: HttpApp, { sessions, cookie }: Parts): void {
  app.post('/admin/sign-out', { schema: { response: { 204: z.null() } } }, async (request, reply) => {
    const token = cookie.read(request)
    if (token !== null) await sessions.end('admin', token)
    cookie.clear(reply)
    return reply.code(204).send(null)
  })

  app.get('/admin/me', { schema: { response: { 200: adminMe } } }, async request => ({
    administrator: administratorOf(request),
  }))
}
