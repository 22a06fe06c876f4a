import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import type { Token } from './request-token.ts'

/** A token is replaced this long before it ends, so that none ends on the way. */
const RENEWED_AHEAD_MS = 5 * 60_000

/** Tokens in the place of a provider's credential, for upstreams that take no lasting ones. */
export type TokenKeeper = (provider: CatalogProvider) => Promise<string>

type Held = { readonly token: Token; readonly renewAtMs: number; readonly endsAtMs: number }

type Slot = { held: Held | null; asking: Promise<Held> | null }

export type TokenKeeperOptions = {
  readonly request: (provider: CatalogProvider) => Promise<Token>
  /** A clock that never goes back, in milliseconds. */
  readonly nowMs: () => number
}

/**
 * Keeps a token for each credential: asked for once, whoever waits for it, and asked for again before it ends; while that
 * goes on, or fails, the old one serves on to its end. A failure is not kept.
 */
export function createTokenKeeper({ request, nowMs }: TokenKeeperOptions): TokenKeeper {
  // A provider whose credential changes is another object.
  const slots = new WeakMap<CatalogProvider, Slot>()

  async function ask(slot: Slot, provider: CatalogProvider): Promise<Held> {
    const askedAtMs = nowMs()
    const token = await request(provider)
    const endsAtMs = askedAtMs + token.livesMs
    const held = { token, endsAtMs, renewAtMs: endsAtMs - Math.min(RENEWED_AHEAD_MS, token.livesMs / 2) }
    slot.held = held
    return held
  }

  function renew(slot: Slot, provider: CatalogProvider): Promise<Held> {
    slot.asking ??= ask(slot, provider).finally(() => {
      slot.asking = null
    })
    return slot.asking
  }

  return async provider => {
    const slot = slots.get(provider) ?? { held: null, asking: null }
    slots.set(provider, slot)
    const now = nowMs()
    if (slot.held && now < slot.held.endsAtMs) {
      if (now >= slot.held.renewAtMs) renew(slot, provider).catch(() => {})
      return slot.held.token.text
    }
    return (await renew(slot, provider)).token.text
  }
}
