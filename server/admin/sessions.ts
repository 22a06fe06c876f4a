import { z } from 'zod'
import { adminMe, signIn as signInBody } from '#contract/sessions.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { administratorOf } from '#server/http/guard.ts'
import type { Entrance } from '#server/http/identity/entrance.ts'
import type { AdminParts } from './admin-parts.ts'

type Parts = AdminParts & { readonly entrance: Entrance }

/** Signing in: the one route that a stranger may call. */
export function registerAdminDoor(app: HttpApp, { signIn, administrators, entrance }: Parts): void {
  app.post(
    '/admin/sign-in',
    { schema: { body: signInBody, response: { 200: adminMe } } },
    async (request, reply) => {
      const outcome = await signIn('admin', {
        ...request.body,
        ...entrance.arrival(request, request.body.email),
      })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      const administrator = await administrators.get(outcome.value.subjectId)
      entrance.open(reply, outcome.value, administrator.email)
      return reply.send({ administrator })
    },
  )
}

export function registerAdminSessionRoutes(app: HttpApp, { sessions, entrance: { cookie } }: Parts): void {
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
