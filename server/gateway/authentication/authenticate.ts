import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Caller, OwnKey } from '#domains/keys/caller.ts'
import { hashToken, isWellFormedToken } from '#domains/keys/token.ts'
import type { Arrival } from '#gateway/exchange.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { headerOf } from '#server/http/client-exchange.ts'
import { RecentTokens } from './recent-tokens.ts'

/** Finds who stands behind a token's hash; null when nobody may use it (any more). */
export type FindCaller = (tokenHash: string) => Caller | null | Promise<Caller | null>

export type AuthenticationParts = {
  readonly findCaller: FindCaller
  /** Finds who stands behind a key that its owner names; null when it can not be used (any more). */
  readonly findOwnCaller: (key: OwnKey) => Promise<Caller | null>
}

const BEARER = /^bearer +(\S+) *$/i

/** One answer for every cause: it says what is expected, never what was wrong with the key. */
const UNAUTHENTICATED = refusals.unauthenticated(
  'A valid API key is required in the header: Authorization: Bearer gw_…',
)
const UNAUTHENTICATED_BY_EITHER = refusals.unauthenticated(
  'A valid API key is required in the header: x-api-key: gw_…, or Authorization: Bearer gw_…',
)

const NO_SUCH_KEY = refusals.notFound('You have no key of this id that can be used')

/** At once where the caller is known, which is nearly always: promises cost a busy gateway more than the looking up. */
export type Authenticated = Outcome<Caller, ServiceError> | Promise<Outcome<Caller, ServiceError>>

/** Who is calling: the owner of a key who is signed in and names it, else whoever holds a token. */
export function authenticate(
  arrival: Arrival,
  { findCaller, findOwnCaller }: AuthenticationParts,
): Authenticated {
  if (arrival.ownKey === null) return authenticateToken(arrival, findCaller)
  return findOwnCaller(arrival.ownKey).then(caller => callerOr(NO_SUCH_KEY, caller))
}

const recentTokens = new RecentTokens()

function callerOr(refusal: ServiceError, caller: Caller | null): Outcome<Caller, ServiceError> {
  return caller ? accepted(caller) : refused(refusal)
}

/** What was given, if it has the shape of our tokens. */
function tokenOfOurs(given: string | undefined): string | null {
  return given !== undefined && isWellFormedToken(given) ? given : null
}

/**
 * Who is calling, by the token in the header that the dialect names: cookies and query strings mean nothing here.
 * Anthropic's clients may send a key of their vendor in the other header beside ours, so the first that has the shape
 * of ours counts.
 */
function authenticateToken({ request, dialect }: Arrival, findCaller: FindCaller): Authenticated {
  const header = headerOf(request, 'authorization') ?? ''
  const recentHash = recentTokens.findHash(header)
  const refusal = dialect.keyHeader === null ? UNAUTHENTICATED : UNAUTHENTICATED_BY_EITHER
  if (recentHash !== undefined) return lookUp(recentHash, refusal, findCaller)
  const bearer = tokenOfOurs(BEARER.exec(header)?.[1])
  const token =
    bearer ?? (dialect.keyHeader === null ? null : tokenOfOurs(headerOf(request, dialect.keyHeader)))
  if (token === null) return refused(refusal)
  const hash = hashToken(token)
  const found = lookUp(hash, refusal, findCaller)
  if (bearer !== null && !(found instanceof Promise) && found.ok) recentTokens.keep(header, hash)
  return found
}

function lookUp(tokenHash: string, refusal: ServiceError, findCaller: FindCaller): Authenticated {
  const found = findCaller(tokenHash)
  return found instanceof Promise ? found.then(caller => callerOr(refusal, caller)) : callerOr(refusal, found)
}
