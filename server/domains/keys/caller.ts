/** A key as its owner names it, who is known by other means than its token. */
export type OwnKey = { readonly userId: string; readonly keyId: string }

/** Who stands behind a valid key: everything that a request needs to know of it. */
export type Caller = {
  readonly keyId: string
  readonly userId: string
  readonly accountId: string
  readonly limits: {
    readonly requests: number
    readonly windowSeconds: number
    readonly concurrency: number
  }
  /** Milliseconds since the epoch; null when the key does not expire. */
  readonly expiresAt: number | null
}
