import { z } from 'zod'
import { refusals } from '#contract/errors.ts'
import { externalIdentityPage, linkIdentity, oidcLocation, proof } from '#contract/sessions.ts'
import type { ExternalIdentities } from '#domains/identity/external-identities.ts'
import { type HttpApp, sendError } from '../frame.ts'
import { personOf } from '../guard.ts'
import type { Entrance } from './entrance.ts'
import { createOidcCookie } from './oidc-cookie.ts'
import { type OidcParts, oidcRedirectUri } from './oidc-routes.ts'

export type IdentityParts = {
  readonly externalIdentities: ExternalIdentities
  /** null where no provider is configured. */
  readonly oidc: OidcParts | null
}

/** The routes behind the guard of a realm by which people connect identities at other services to themselves. */
export function registerIdentityRoutes(
  app: HttpApp,
  entrance: Entrance,
  { externalIdentities, oidc }: IdentityParts,
): void {
  const { realm, secure } = entrance

  app.get(`/${realm}/identities`, { schema: { response: { 200: externalIdentityPage } } }, async request => ({
    object: 'list' as const,
    data: [...(await externalIdentities.list(personOf(request)))],
    next_cursor: null,
  }))

  app.post(
    `/${realm}/identities`,
    { schema: { body: linkIdentity, response: { 200: oidcLocation } } },
    async (request, reply) => {
      if (!oidc) return sendError(reply, refusals.forbidden('There is no other service to sign in through'))
      const { current_password: password, from = '/' } = request.body
      const outcome = await oidc.signIn.beginLink(personOf(request), {
        password,
        from,
        redirectUri: oidcRedirectUri(oidc, entrance),
      })
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      createOidcCookie({ realm, secure, flows: oidc.flows }).set(reply, outcome.value.pending)
      return reply.send({ object: 'oidc_location', url: outcome.value.url.href })
    },
  )

  app.post(
    `/${realm}/identities/:id/unlink`,
    { schema: { params: z.object({ id: z.string() }), body: proof, response: { 204: z.null() } } },
    async (request, reply) => {
      const { current_password: password } = request.body
      const outcome = await externalIdentities.unlink(personOf(request), request.params.id, password)
      return outcome.ok ? reply.code(204).send(null) : sendError(reply, outcome.refusal)
    },
  )
}
