import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { normalizeEmail } from '#domains/identity/email.ts'
import type { SessionCookieOptions } from '../session-cookie.ts'

const YEAR_SECONDS = 365 * 24 * 3600
const SHAPE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

/** The cookie of a browser that somebody signed in with before. It opens nothing: throttles tell browsers apart by it. */
export type DeviceCookie = {
  /** The browser's identifier; null unless it has signed in with this very e-mail. */
  read(request: FastifyRequest, email: string): string | null
  set(reply: FastifyReply, email: string): void
}

/** The e-mail is no part of the cookie, only of its signature: what is left in a browser does not say whose it is. */
export function createDeviceCookie({ realm, secret, secure }: SessionCookieOptions): DeviceCookie {
  const name = `goldweight_${realm}_device`
  const key = createHmac('sha256', secret).update(`device ${realm}`).digest()
  const sign = (device: string, email: string): Buffer =>
    createHmac('sha256', key)
      .update(`${device} ${normalizeEmail(email)}`)
      .digest()
  return {
    read: (request, email) => {
      const [, device = '', signature = ''] = SHAPE.exec(request.cookies[name] ?? '') ?? []
      if (device === '') return null
      return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(device, email)) ? device : null
    },
    set: (reply, email) => {
      const device = randomBytes(16).toString('base64url')
      reply.setCookie(name, `${device}.${sign(device, email).toString('base64url')}`, {
        path: `/${realm}`,
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: YEAR_SECONDS,
      })
    },
  }
}
