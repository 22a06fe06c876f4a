import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import {
  adminMe,
  secondFactorDue,
  secondStep as secondStepBody,
  signIn as signInBody,
} from '#contract/sessions.ts'
import type { OpenedSession } from '#domains/identity/entry.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { administratorOf } from '#server/http/guard.ts'
import type { Entrance } from '#server/http/identity/entrance.ts'
import type { AdminParts } from './admin-parts.ts'
import { lacksSecondFactor } from './roles.ts'

type Parts = AdminParts & { readonly entrance: Entrance }

/** Signing in: the routes that a stranger may call. */
export function registerAdminDoors(app: HttpApp, parts: Parts): void {
  const { signIn, secondStep, administrators, settings, entrance } = parts

  async function enter(reply: FastifyReply, session: OpenedSession, by: { hasSecondFactor: boolean }) {
    const administrator = await administrators.get(session.subjectId)
    const must_set_up_two_factor = await lacksSecondFactor(settings, by)
    entrance.open(reply, session)
    return reply.send({ administrator, must_set_up_two_factor })
  }

  app.post(
    '/admin/sign-in',
    { schema: { body: signInBody, response: { 200: adminMe, 202: secondFactorDue } } },
    async (request, reply) => {
      const arrival = entrance.arrival(request, request.body.email)
      const outcome = await signIn('admin', { ...request.body, ...arrival })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      if (outcome.value.kind === 'session') return enter(reply, outcome.value, { hasSecondFactor: false })
      entrance.pending.set(reply, outcome.value)
      return reply.code(202).send({ object: 'second_factor_due' })
    },
  )

  app.post(
    '/admin/sign-in/second-factor',
    { schema: { body: secondStepBody, response: { 200: adminMe } } },
    async (request, reply) => {
      const outcome = await secondStep('admin', entrance.secondArrival(request, request.body.code))
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      return enter(reply, outcome.value, { hasSecondFactor: true })
    },
  )
}

export function registerAdminSessionRoutes(
  app: HttpApp,
  { sessions, settings, entrance: { cookie } }: Parts,
): void {
  app.post('/admin/sign-out', { schema: { response: { 204: z.null() } } }, async (request, reply) => {
    const token = cookie.read(request)
    if (token !== null) await sessions.end('admin', token)
    cookie.clear(reply)
    return reply.code(204).send(null)
  })

  app.get('/admin/me', { schema: { response: { 200: adminMe } } }, async request => {
    const administrator = administratorOf(request)
    return { administrator, must_set_up_two_factor: await lacksSecondFactor(settings, administrator) }
  })
}
