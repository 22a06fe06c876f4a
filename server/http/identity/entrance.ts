import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedSession } from '#domains/identity/entry.ts'
import type { SecondStepOptions } from '#domains/identity/second-step.ts'
import type { SessionOrigin } from '#domains/identity/session-origin.ts'
import { clientNetwork } from '#lib/client-address.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import { createSessionCookie, type SessionCookie } from '../session-cookie.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { createPendingCookie, type PendingCookie } from './pending-cookie.ts'

export type EntranceOptions = {
  readonly realm: Realm
  /** Where browsers find the service; null when that is not configured. */
  readonly publicUrl: string | null
  /** The service's secret, which signs cookies. */
  readonly secret: string | Uint8Array
}

/** Who comes, as far as the request shows it before anybody has signed in. */
export type Arrival = {
  readonly origin: SessionOrigin
  readonly device: string | null
  readonly replaces: string | null
}

/** One realm's cookies, from the first request of a stranger to the session. */
export type Entrance = {
  readonly realm: Realm
  /** Whether browsers may send the realm's cookies over https alone. */
  readonly secure: boolean
  readonly cookie: SessionCookie
  /** Holds the place of somebody whose second factor is due. */
  readonly pending: PendingCookie
  arrival(request: FastifyRequest, email: string): Arrival
  /** Who comes back with a code, and the place that was held for them. */
  secondArrival(request: FastifyRequest, code: string): SecondStepOptions
  /** Hands out the token of a session just opened, and remembers the browser for its e-mail. */
  open(reply: FastifyReply, session: OpenedSession): void
}

export function createEntrance({ realm, publicUrl, secret }: EntranceOptions): Entrance {
  const secure = publicUrl !== null && new URL(publicUrl).protocol === 'https:'
  const cookie = createSessionCookie({ realm, secret, secure })
  const device = createDeviceCookie({ realm, secret, secure })
  const pending = createPendingCookie({ realm, secret, secure })
  return {
    realm,
    secure,
    cookie,
    pending,
    arrival: (request, email) => ({
      origin: originOf(request),
      device: device.read(request, email),
      replaces: cookie.read(request),
    }),
    secondArrival: (request, code) => ({
      origin: originOf(request),
      replaces: cookie.read(request),
      token: pending.read(request) ?? '',
      code,
    }),
    open: (reply, { token, maxAgeSeconds, email }) => {
      cookie.set(reply, token, maxAgeSeconds)
      device.set(reply, email)
      if (pending.read(reply.request) !== null) pending.clear(reply)
    },
  }
}

/** Where a request comes from, for throttles and for the list of sessions. */
export function originOf(request: FastifyRequest): SessionOrigin {
  return {
    network: clientNetwork(request.ip),
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  }
}
