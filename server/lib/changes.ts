/** What the parts of the service and its nodes tell each other. A message carries identifiers, never data. */
export type Change =
  /** A key was made, changed or revoked. */
  | { readonly kind: 'key'; readonly keyId: string }
  /** A user was changed or disabled: all of the user's keys and sessions are concerned. */
  | { readonly kind: 'user'; readonly userId: string }
  /** An account was changed, suspended or opened again. */
  | { readonly kind: 'account'; readonly accountId: string }
  /** A key with a spending cap was charged. */
  | { readonly kind: 'key-spending'; readonly keyId: string }
  /** A provider, model, route or package was changed. */
  | { readonly kind: 'catalog' }
  | { readonly kind: 'settings' }
  /** Messages of other nodes may have been missed: whatever is kept in memory has to be read again. */
  | { readonly kind: 'resync' }

export type ChangeListener = (change: Change) => void

/** Delivers each change to every listener: on this node before `publish` returns. */
export type Changes = {
  publish(change: Change): void
  subscribe(listener: ChangeListener): void
}

/** Changes within one process. */
export function createLocalChanges(): Changes {
  const listeners = new Set<ChangeListener>()
  return {
    publish(change) {
      for (const listener of listeners) listener(change)
    },
    subscribe(listener) {
      listeners.add(listener)
    },
  }
}
