import { z } from 'zod'
import {
  changeEmail as changeEmailBody,
  emailChange,
  verifiedEmail,
  verifyEmail,
} from '#contract/sessions.ts'
import type { ChangeEmail } from '#domains/identity/email-change.ts'
import type { EmailVerification } from '#domains/identity/email-verification.ts'
import { type HttpApp, sendError } from '../frame.ts'
import { personOf } from '../guard.ts'
import { type Entrance, originOf } from './entrance.ts'

export type EmailParts = {
  readonly changeEmail: ChangeEmail
  readonly emailVerification: EmailVerification
}

/** The routes behind the guard of a realm by which people change and confirm their address. */
export function registerEmailRoutes(
  app: HttpApp,
  { realm }: Entrance,
  { changeEmail, emailVerification }: EmailParts,
): void {
  app.post(
    `/${realm}/email`,
    { schema: { body: changeEmailBody, response: { 200: emailChange } } },
    async (request, reply) => {
      const { email, current_password: password } = request.body
      const origin = originOf(request)
      const outcome = await changeEmail(personOf(request), { email, password, origin })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      return reply.send({ object: 'email_change', status: outcome.value })
    },
  )

  app.post(
    `/${realm}/email/verification`,
    { schema: { response: { 204: z.null() } } },
    async (request, reply) => {
      const outcome = await emailVerification.resend(personOf(request), originOf(request))
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )

  app.post(
    `/${realm}/email/verify`,
    { schema: { body: verifyEmail, response: { 200: verifiedEmail } } },
    async (request, reply) => {
      const outcome = await emailVerification.verify(personOf(request), request.body.token)
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      return reply.send({ object: 'verified_email', email: outcome.value })
    },
  )
}
