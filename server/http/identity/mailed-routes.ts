import { z } from 'zod'
import { forgottenPassword, resetPassword } from '#contract/sessions.ts'
import type { PasswordReset } from '#domains/identity/password-reset.ts'
import { type HttpApp, sendError } from '../frame.ts'
import { type Entrance, originOf } from './entrance.ts'

export type MailedParts = { readonly passwordReset: PasswordReset }

/** The routes of those who can not sign in any more: a mail with a link, and what the link leads to. */
export function registerMailedRoutes(
  app: HttpApp,
  { realm }: Entrance,
  { passwordReset }: MailedParts,
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
}
