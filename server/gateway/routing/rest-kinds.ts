import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { AttemptFailure } from '#gateway/providers/provider.ts'

/**
 * Why nobody is asked for a while: `throttled` a way to a model, that is a route with one credential; `refused` a
 * credential wherever it is used; `failing` a route, whatever its credential.
 */
export const REST_KINDS = ['throttled', 'refused', 'failing'] as const
export type RestKind = (typeof REST_KINDS)[number]

/** How a rest of each kind begins and grows. Rests in a row double up to the longest. */
export type RestRule = {
  /** Failures in a row before it begins. */
  readonly failures: number
  readonly firstMs: number
  readonly longestMs: number
  /** Whether one request has to show that it is over before others follow. */
  readonly isProbed: boolean
}

export const REST_RULES: Readonly<Record<RestKind, RestRule>> = {
  throttled: { failures: 1, firstMs: 1_000, longestMs: 60_000, isProbed: false },
  refused: { failures: 1, firstMs: 30_000, longestMs: 600_000, isProbed: true },
  failing: { failures: 3, firstMs: 2_000, longestMs: 60_000, isProbed: true },
}

/** What an upstream says of itself is believed up to this. */
export const LONGEST_WORD_MS = 3_600_000

/** Unpaid, unknown, or not let through: no other request with this credential would fare better. */
const CREDENTIAL_REFUSED = new Set([401, 402, 407])
/** What a caller can bring about by what is asked says nothing of the route. */
const MAY_BE_THE_REQUEST = new Set([403, 404])

/** What a failure says against whom; null where it says nothing. */
export function restKindOf({
  error,
  tryElsewhere,
  wasNotAsked,
  meantStatus = 0,
}: AttemptFailure): RestKind | null {
  if (!tryElsewhere || wasNotAsked) return null
  if (error.type === 'upstream_rate_limited') return 'throttled'
  if (CREDENTIAL_REFUSED.has(meantStatus)) return 'refused'
  return MAY_BE_THE_REQUEST.has(meantStatus) ? null : 'failing'
}

/** What of a route a rest of this kind belongs to. */
export function restKeyOf(kind: RestKind, { id, routeId, provider }: CatalogRoute): string {
  switch (kind) {
    case 'throttled':
      return id
    case 'refused':
      return provider.credentialId
    case 'failing':
      return routeId
  }
}
