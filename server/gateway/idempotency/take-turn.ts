import { refusals, type ServiceError } from '#contract/errors.ts'
import type {
  Claim,
  Claiming,
  IdempotencyClaims,
  KeyedRequest,
} from '#domains/idempotency/idempotency-claims.ts'
import type { WholeReply } from '#gateway/edge/respond.ts'
import type { Routed } from '#gateway/exchange.ts'
import { StorageUnavailable } from '#storage/storage.ts'
import { fingerprintOf } from './fingerprint.ts'

export type IdempotencyParts = { readonly claims: Pick<IdempotencyClaims, 'claim' | 'onEnd'> }

/** What is to be done with a request that has a key. */
export type Turn =
  /** It is to be answered, and its end is the claim's. */
  | { readonly kind: 'own'; readonly claim: Claim }
  | { readonly kind: 'repeat'; readonly requestId: string; readonly reply: WholeReply }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'client-left' }

/** Visible characters and spaces, as any that was meant has. */
const KEY = /^[\x20-\x7e]{1,255}$/
/** How soon it is noticed that a request on another node has ended. */
const LOOK_EVERY_MS = 500
/** By then the upstream's own timeouts have ended most requests. */
const MAX_WAIT_MS = 300_000

const refuse = (error: ServiceError): Turn => ({ kind: 'refused', error })
const conflict = (message: string) => refuse(refusals.conflict(message))

/** Claims the request's key, or waits for whoever holds it to end. */
export async function takeTurn(routed: Routed, key: string, { claims }: IdempotencyParts): Promise<Turn> {
  if (!KEY.test(key)) {
    return refuse(refusals.invalid('Idempotency-Key: must be 1 to 255 visible ASCII characters'))
  }
  const { caller, requestId, generation } = routed
  const fingerprint = await fingerprintOf(generation)
  const request: KeyedRequest = { accountId: caller.accountId, key, requestId, fingerprint }
  try {
    for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
      const claiming = await claims.claim(request)
      if (claiming.kind !== 'running') return turnOf(claiming)
      if (generation.stream) return conflict('A stream with this Idempotency-Key is still running')
      if (waitedMs >= MAX_WAIT_MS) return conflict('The request with this Idempotency-Key is still running')
      await waitForEnd(routed, request, claims)
      if (routed.departure.left) return { kind: 'client-left' }
    }
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    return refuse(refusals.unavailable('The service can not look for earlier requests right now'))
  }
}

function turnOf(claiming: Exclude<Claiming, { kind: 'running' }>): Turn {
  switch (claiming.kind) {
    case 'claimed':
      return { kind: 'own', claim: claiming.claim }
    case 'other-request':
      return conflict('This Idempotency-Key was used for another request')
    case 'done': {
      const { requestId, answer } = claiming
      if (answer === null) {
        return conflict('The request with this Idempotency-Key is done, and its answer was not kept')
      }
      return { kind: 'repeat', requestId, reply: { ...answer, isRepeat: true } }
    }
  }
}

/** Resolves when the request that holds the key ended on this node, when it is time to look, or when the client left. */
function waitForEnd(
  { departure }: Routed,
  request: KeyedRequest,
  claims: IdempotencyParts['claims'],
): Promise<void> {
  return new Promise(resolve => {
    const finish = () => {
      clearTimeout(timer)
      listening.stop()
      departure.onLeave(null)
      resolve()
    }
    const timer = setTimeout(finish, LOOK_EVERY_MS)
    const listening = claims.onEnd(request, finish)
    departure.onLeave(finish)
  })
}
