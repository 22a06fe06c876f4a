import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { refusals } from '#contract/errors.ts'
import {
  clientMe,
  secondFactorDue,
  secondStep as secondStepBody,
  signIn as signInBody,
  signUp as signUpBody,
} from '#contract/sessions.ts'
import type { OpenedSession } from '#domains/identity/entry.ts'
import type { SignedInUser } from '#domains/identity/people.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'
import type { Entrance } from '#server/http/identity/entrance.ts'
import type { PortalParts } from './portal-parts.ts'

type Parts = PortalParts & { readonly entrance: Entrance }

/** Signing up and signing in: the routes that a stranger may call. */
export function registerClientDoors(app: HttpApp, parts: Parts): void {
  const { signUp, signIn, secondStep, sessions, entrance } = parts

  async function enter(reply: FastifyReply, session: OpenedSession) {
    const user = await sessions.findUser(session.token)
    if (!user) return sendError(reply, refusals.unauthenticated('Sign in to continue'))
    entrance.open(reply, session)
    return reply.send(await showMe(parts, user))
  }

  app.post(
    '/client/sign-up',
    { schema: { body: signUpBody, response: { 201: clientMe } } },
    async (request, reply) => {
      const outcome = await signUp.byPassword(request.body, entrance.arrival(request, request.body.email))
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      return enter(reply.code(201), outcome.value)
    },
  )

  app.post(
    '/client/sign-in',
    { schema: { body: signInBody, response: { 200: clientMe, 202: secondFactorDue } } },
    async (request, reply) => {
      const arrival = entrance.arrival(request, request.body.email)
      const outcome = await signIn('client', { ...request.body, ...arrival })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      if (outcome.value.kind === 'session') return enter(reply, outcome.value)
      entrance.pending.set(reply, outcome.value)
      return reply.code(202).send({ object: 'second_factor_due' })
    },
  )

  app.post(
    '/client/sign-in/second-factor',
    { schema: { body: secondStepBody, response: { 200: clientMe } } },
    async (request, reply) => {
      const outcome = await secondStep('client', entrance.secondArrival(request, request.body.code))
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      return enter(reply, outcome.value)
    },
  )
}

export function registerClientSessionRoutes(app: HttpApp, parts: Parts): void {
  const {
    sessions,
    entrance: { cookie },
  } = parts

  app.post('/client/sign-out', { schema: { response: { 204: z.null() } } }, async (request, reply) => {
    const token = cookie.read(request)
    if (token !== null) await sessions.end('client', token)
    cookie.clear(reply)
    return reply.code(204).send(null)
  })

  app.get('/client/me', { schema: { response: { 200: clientMe } } }, async request =>
    showMe(parts, userOf(request)),
  )
}

async function showMe({ accounts }: Parts, user: SignedInUser): Promise<z.infer<typeof clientMe>> {
  const { id, email, name, accountId } = user
  return { user: { id, email, name }, account: await accounts.getSummary(accountId) }
}
