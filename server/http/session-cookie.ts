import { createHmac } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Realm } from '#storage/sign-in-tables.ts'

export type SessionCookieOptions = {
  readonly realm: Realm
  /** The service's secret; a key of the realm's own is made from it. */
  readonly secret: string | Uint8Array
  /** Whether browsers may send the cookie over https alone. */
  readonly secure: boolean
}

/** The cookie that carries one realm's session tokens. */
export type SessionCookie = {
  /** The token that a request carries; null when it has none, or one whose signature is not ours. */
  read(request: FastifyRequest): string | null
  set(reply: FastifyReply, token: string, maxAgeSeconds: number): void
  clear(reply: FastifyReply): void
}

/**
 * `goldweight_client` and `goldweight_admin`. The signature adds nothing to a token of 256 random bits: it lets junk be
 * refused without a look at the store. Each realm signs with a key of its own, so that one's cookie is junk to the other.
 */
export function createSessionCookie({ realm, secret, secure }: SessionCookieOptions): SessionCookie {
  const name = `goldweight_${realm}`
  const attributes = { path: `/${realm}`, httpOnly: true, sameSite: 'lax', secure } as const
  const signer = fastifyCookie.signerFactory(createHmac('sha256', secret).update(`session ${realm}`).digest())
  const write = (reply: FastifyReply, value: string, maxAge: number): void => {
    reply.setCookie(name, value, { ...attributes, maxAge })
  }
  return {
    read: request => {
      const value = request.cookies[name]
      return value === undefined ? null : signer.unsign(value).value
    },
    set: (reply, token, maxAgeSeconds) => write(reply, signer.sign(token), maxAgeSeconds),
    clear: reply => write(reply, '', 0),
  }
}
