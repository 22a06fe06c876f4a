import { z } from 'zod'
import { forgottenPassword, resetPassword, verifiedEmail, verifyEmail } from '#contract/sessions.ts'
import type { EmailVerification } from '#domains/identity/email-verification.ts'
import type { PasswordReset } from '#domains/identity/password-reset.ts'
import { type HttpApp, sendError } from '../frame.ts'
import { type Entrance, originOf } from './entrance.ts'

export type MailedParts = {
  readonly passwordReset: PasswordReset
  readonly emailVerification: EmailVerification
}

/** The routes that links in mails lead to: whoever has the link may call them, signed in or not. */
export function registerMailedRoutes(
  app: HttpApp,
  { realm }: Entrance,
  { passwordReset, emailVerification }: MailedParts,
): void {
  app.post(
    `/${realm}/password/forgotten`,
    { schema: { body: forgottenPassword, response: { 204: z.null() } } },
    async (request, reply) => {
      const outcome = await passwordReset.request(realm, request.body.email, originOf(request))
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )

  app.post(
    `/${realm}/password/reset`,
    { schema: { body: resetPassword, response: { 204: z.null() } } },
    async (request, reply) => {
      const outcome = await passwordReset.reset(realm, request.body)
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )

  app.post(
    `/${realm}/email/verify`,
    { schema: { body: verifyEmail, response: { 200: verifiedEmail } } },
    async (request, reply) => {
      const outcome = await emailVerification.verify(realm, request.body.token)
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      return reply.send({ object: 'verified_email', email: outcome.value })
    },
  )
}
