import type { Micros } from '#lib/money.ts'

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
  /** The only models that it may use; null for all. */
  readonly models: ReadonlySet<string> | null
  /** What it may spend in a calendar day or month; null for as much as the account has. */
  readonly spendingCap: { readonly period: 'day' | 'month'; readonly micros: Micros } | null
  /** Milliseconds since the epoch; null when the key does not expire. */
  readonly expiresAt: number | null
}

/** Whether the caller's key is for this model. */
export function mayUse({ models }: Caller, { id }: { readonly id: string }): boolean {
  return models === null || models.has(id)
}
