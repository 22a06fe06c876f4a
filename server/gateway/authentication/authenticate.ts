import type { IncomingMessage } from 'node:http'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Caller } from '#domains/keys/caller.ts'
import { hashToken, isWellFormedToken } from '#domains/keys/token.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** Finds who stands behind a token's hash; null when nobody may use it (any more). */
export type FindCaller = (tokenHash: string) => Caller | null | Promise<Caller | null>

const BEARER = /^bearer +(\S+) *$/i

/** One answer for every cause: it says what is expected, never what was wrong with the key. */
const UNAUTHENTICATED = refusals.unauthenticated(
  'A valid API key is required in the header: Authorization: Bearer gw_…',
)

/** Who is calling, by the bearer token alone: cookies and query strings mean nothing here. */
export async function authenticate(
  request: IncomingMessage,
  findCaller: FindCaller,
): Promise<Outcome<Caller, ServiceError>> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined || !isWellFormedToken(token)) return refused(UNAUTHENTICATED)
  const caller = await findCaller(hashToken(token))
  return caller ? accepted(caller) : refused(UNAUTHENTICATED)
}
