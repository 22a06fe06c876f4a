import { z } from 'zod'
import { pageQuery } from '#contract/primitives.ts'
import {
  changePassword as changePasswordBody,
  patchProfile,
  profile,
  sessionPage,
} from '#contract/sessions.ts'
import type { OwnSessions } from '#domains/identity/own-sessions.ts'
import type { ChangePassword } from '#domains/identity/password-change.ts'
import type { Profiles } from '#domains/identity/profiles.ts'
import { type HttpApp, sendError } from '../frame.ts'
import { personOf } from '../guard.ts'
import { pageReply, toPageRequest } from '../paging.ts'
import type { Entrance } from './entrance.ts'

/** What the routes are made of by which people look after their own sign-in, the same in both realms. */
export type PersonParts = {
  readonly profiles: Profiles
  readonly ownSessions: OwnSessions
  readonly changePassword: ChangePassword
}

const nothing = { 204: z.null() }

/** The routes behind the guard of a realm by which people look after their own sign-in. */
export function registerPersonRoutes(app: HttpApp, { realm, cookie }: Entrance, parts: PersonParts): void {
  const { profiles, ownSessions, changePassword } = parts

  app.get(`/${realm}/profile`, { schema: { response: { 200: profile } } }, async request =>
    profiles.get(personOf(request)),
  )

  app.patch(
    `/${realm}/profile`,
    { schema: { body: patchProfile, response: { 200: profile } } },
    async (request, reply) => {
      const outcome = await profiles.rename(personOf(request), request.body.name)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.post(
    `/${realm}/password`,
    { schema: { body: changePasswordBody, response: nothing } },
    async (request, reply) => {
      const { current_password: currentPassword, new_password: newPassword } = request.body
      const outcome = await changePassword(personOf(request), { currentPassword, newPassword })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      cookie.set(reply, outcome.value.token, outcome.value.maxAgeSeconds)
      return reply.code(204).send(null)
    },
  )

  app.get(
    `/${realm}/sessions`,
    { schema: { querystring: pageQuery, response: { 200: sessionPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await ownSessions.list(personOf(request), page.value)))
    },
  )

  app.delete(
    `/${realm}/sessions/:id`,
    { schema: { params: z.object({ id: z.string() }), response: nothing } },
    async (request, reply) => {
      const person = personOf(request)
      const outcome = await ownSessions.end(person, request.params.id)
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      if (request.params.id === person.session.id) cookie.clear(reply)
      return reply.code(204).send(null)
    },
  )

  app.delete(`/${realm}/sessions`, { schema: { response: nothing } }, async (request, reply) => {
    await ownSessions.endOthers(personOf(request))
    return reply.code(204).send(null)
  })
}
