import { z } from 'zod'
import { bothFactors, confirmTwoFactor, proof, recoveryCodes, twoFactorSecret } from '#contract/sessions.ts'
import type { TwoFactor } from '#domains/identity/two-factor.ts'
import { type HttpApp, sendError } from '../frame.ts'
import { personOf } from '../guard.ts'
import type { Entrance } from './entrance.ts'

/** The routes behind the guard of a realm by which people switch their second factor on and off. */
export function registerTwoFactorRoutes(
  app: HttpApp,
  { realm, cookie }: Entrance,
  { twoFactor }: { readonly twoFactor: TwoFactor },
): void {
  app.post(
    `/${realm}/two-factor`,
    { schema: { body: proof, response: { 201: twoFactorSecret } } },
    async (request, reply) => {
      const outcome = await twoFactor.begin(personOf(request), request.body.current_password)
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      const { secret, otpauthUrl } = outcome.value
      return reply.code(201).send({ object: 'two_factor_secret', secret, otpauth_url: otpauthUrl })
    },
  )

  app.post(
    `/${realm}/two-factor/confirm`,
    { schema: { body: confirmTwoFactor, response: { 200: recoveryCodes } } },
    async (request, reply) => {
      const outcome = await twoFactor.confirm(personOf(request), request.body.code)
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      const { session, recoveryCodes } = outcome.value
      cookie.set(reply, session.token, session.maxAgeSeconds)
      return reply.send({ object: 'recovery_codes', recovery_codes: [...recoveryCodes] })
    },
  )

  app.post(
    `/${realm}/two-factor/disable`,
    { schema: { body: bothFactors, response: { 204: z.null() } } },
    async (request, reply) => {
      const { current_password: password, code } = request.body
      const outcome = await twoFactor.disable(personOf(request), { password, code })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      cookie.set(reply, outcome.value.token, outcome.value.maxAgeSeconds)
      return reply.code(204).send(null)
    },
  )

  app.post(
    `/${realm}/two-factor/recovery-codes`,
    { schema: { body: bothFactors, response: { 200: recoveryCodes } } },
    async (request, reply) => {
      const { current_password: password, code } = request.body
      const outcome = await twoFactor.renewCodes(personOf(request), { password, code })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      return reply.send({ object: 'recovery_codes', recovery_codes: [...outcome.value] })
    },
  )
}
