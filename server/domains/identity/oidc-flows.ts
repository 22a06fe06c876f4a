import { z } from 'zod'
import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import type { Realm } from '#storage/sign-in-tables.ts'

const LIFETIME_MS = 10 * 60 * 1000

const flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where to go afterwards, within the realm's pages. */
  from: z.string(),
  /** Who links the identity to themselves, and in which session; null for somebody who signs in. */
  linking: z.object({ id: z.string(), sessionId: z.string() }).nullable(),
})

/** A sign-in that is under way at the provider. */
export type PendingOidc = z.infer<typeof flow>

const sealedFlow = flow.extend({ expiresAt: z.number() })

/** Keeps what is under way in the browser itself, where nobody can read or change it: strangers can't fill our store. */
export type OidcFlows = {
  readonly lifetimeSeconds: number
  seal(realm: Realm, pending: PendingOidc): string
  /** null for what was altered, is of another realm, or too old. */
  open(realm: Realm, sealed: string): PendingOidc | null
}

export function createOidcFlows({ cipher, clock }: { cipher: Cipher; clock: Clock }): OidcFlows {
  return {
    lifetimeSeconds: LIFETIME_MS / 1000,
    seal: (realm, pending) =>
      cipher.seal(JSON.stringify({ ...pending, expiresAt: clock.now() + LIFETIME_MS }), bindingOf(realm)),
    open: (realm, sealed) => {
      const text = cipher.open(sealed, bindingOf(realm))
      if (text === null) return null
      const { expiresAt, ...pending } = sealedFlow.parse(JSON.parse(text))
      return clock.now() < expiresAt ? pending : null
    },
  }
}

function bindingOf(realm: Realm) {
  return { purpose: 'oidc-flow', id: realm }
}
