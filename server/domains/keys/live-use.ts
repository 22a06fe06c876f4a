import type { z } from 'zod'
import type { liveUse } from '#contract/keys.ts'
import type { Caller } from './caller.ts'
import type { Keys } from './keys.ts'

export type LimitedKey = Pick<Caller, 'keyId' | 'accountId' | 'limits'>

/** What counts against a key's limits at one moment. */
export type KeyUse = {
  readonly keyId: string
  /** In the window that ends now. */
  readonly requests: number
  readonly inFlight: number
}

/** How much of its limits each of the keys uses now, in the order in which they were asked for; changes nothing. */
export type ReadKeyUse = (keys: readonly LimitedKey[]) => Promise<readonly KeyUse[]>

export type LiveUse = {
  /** All keys of a user that are not revoked, newest first, each with what counts against its limits now. */
  list(user: { readonly id: string; readonly accountId: string }): Promise<z.infer<typeof liveUse>[]>
}

/** A user can't hold more keys that are not revoked. */
const ALL_KEYS = 100

export function createLiveUse({ keys, readUse }: { keys: Pick<Keys, 'list'>; readUse: ReadKeyUse }): LiveUse {
  return {
    list: async ({ id: userId, accountId }) => {
      const { items } = await keys.list({ userId, live: true }, { limit: ALL_KEYS, after: null })
      const limited = items.map(({ id, limits: { requests, window_seconds, concurrency } }) => ({
        keyId: id,
        accountId,
        limits: { requests, windowSeconds: window_seconds, concurrency },
      }))
      const uses = new Map((await readUse(limited)).map(use => [use.keyId, use]))
      return items.map(({ id, name, hint, limits }) => ({
        object: 'live_use',
        key_id: id,
        name,
        hint,
        requests: uses.get(id)?.requests ?? 0,
        in_flight: uses.get(id)?.inFlight ?? 0,
        limits,
      }))
    },
  }
}
