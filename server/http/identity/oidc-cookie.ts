import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OidcFlows, PendingOidc } from '#domains/identity/oidc-flows.ts'
import type { Realm } from '#storage/sign-in-tables.ts'

export type OidcCookieOptions = {
  readonly realm: Realm
  readonly flows: OidcFlows
  /** Whether browsers may send the cookie over https alone. */
  readonly secure: boolean
}

/** The cookie of a browser that is away at the OpenID Connect provider. */
export type OidcCookie = {
  set(reply: FastifyReply, pending: PendingOidc): void
  /** What the browser was sent away with, once: the cookie is taken back. */
  take(request: FastifyRequest, reply: FastifyReply): PendingOidc | null
}

/** Lax, since the provider's page sends the browser back. Encrypted: it holds what proves that the answer is for us. */
export function createOidcCookie({ realm, flows, secure }: OidcCookieOptions): OidcCookie {
  const name = `goldweight_${realm}_oidc`
  const attributes = { path: `/${realm}/oidc`, httpOnly: true, sameSite: 'lax', secure } as const
  return {
    set: (reply, pending) => {
      reply.setCookie(name, flows.seal(realm, pending), { ...attributes, maxAge: flows.lifetimeSeconds })
    },
    take: (request, reply) => {
      const sealed = request.cookies[name]
      if (sealed === undefined) return null
      reply.setCookie(name, '', { ...attributes, maxAge: 0 })
      return flows.open(realm, sealed)
    },
  }
}
