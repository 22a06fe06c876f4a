import { createHmac } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenToken } from '#domains/identity/own-sessions.ts'
import type { SessionCookieOptions } from '../session-cookie.ts'

/** The cookie between the two factors of a sign-in. It opens nothing but the second step. */
export type PendingCookie = {
  read(request: FastifyRequest): string | null
  set(reply: FastifyReply, due: OpenToken): void
  clear(reply: FastifyReply): void
}

export function createPendingCookie({ realm, secret, secure }: SessionCookieOptions): PendingCookie {
  const name = `goldweight_${realm}_pending`
  const attributes = { path: `/${realm}/sign-in`, httpOnly: true, sameSite: 'lax', secure } as const
  const signer = fastifyCookie.signerFactory(createHmac('sha256', secret).update(`pending ${realm}`).digest())
  return {
    read: request => {
      const value = request.cookies[name]
      return value === undefined ? null : signer.unsign(value).value
    },
    set: (reply, { token, maxAgeSeconds }) => {
      reply.setCookie(name, signer.sign(token), { ...attributes, maxAge: maxAgeSeconds })
    },
    clear: reply => {
      reply.setCookie(name, '', { ...attributes, maxAge: 0 })
    },
  }
}
