import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Caller } from '#domains/keys/caller.ts'
import type { Balance } from '#storage/storage.ts'
import type { AdmissionDecision, AdmissionEngine, Controls, Decided } from './engine.ts'
import type { KeySpending, ReachedCap } from './key-spending.ts'

export type AdmissionParts = {
  readonly engine: AdmissionEngine
  /** Reads an account's balance from the store; null when there is no such account. */
  readonly findBalance: (accountId: string) => Promise<Balance | null>
  readonly keySpending: Pick<KeySpending, 'findReachedCap'>
}

/** What was decided; a key that has spent its cap is refused when neither its rate nor the account's credits refuse it. */
export type Admission =
  | Decided
  | (Omit<Decided, 'kind'> & { readonly kind: 'spending-cap-reached'; readonly cap: ReachedCap })

/**
 * Decides over one request. What a key with a cap has spent is looked at first, as settled in this moment; where that
 * refuses, the engine is asked all the same, so that the order of refusals and the headers are what they always are.
 */
export function admit(
  parts: AdmissionParts,
  caller: Caller,
  controls: Controls,
): Admission | Promise<Admission> {
  // Without a promise where there is nothing to wait for.
  if (controls === 'rate' || caller.spendingCap === null) return decide(parts, caller, controls)
  return admitCapped(parts, caller, controls)
}

async function admitCapped(parts: AdmissionParts, caller: Caller, controls: Controls): Promise<Admission> {
  const cap = await parts.keySpending.findReachedCap(caller)
  if (cap === null) return decide(parts, caller, controls)
  // For a key without slots, rate and credits are decided as ever, and nothing is taken.
  const withoutSlots = { ...caller, limits: { ...caller.limits, concurrency: 0 } }
  const decision = await decide(parts, withoutSlots, controls)
  const [use] = await parts.engine.readUse([caller])
  const limit = caller.limits.concurrency
  const concurrency = { limit, remaining: Math.max(0, limit - (use?.inFlight ?? 0)) }
  return decision.kind === 'concurrency-reached'
    ? { ...decision, concurrency, kind: 'spending-cap-reached', cap }
    : { ...decision, concurrency }
}

/** Asks the engine, and again with the account's balance from the store where the engine knows none to rely on. */
function decide(parts: AdmissionParts, caller: Caller, controls: Controls): Decided | Promise<Decided> {
  const decision = parts.engine.admit(caller, controls)
  if (!(decision instanceof Promise) && decision.kind !== 'balance-unknown') return decision
  return decideByStore(parts, caller, { controls, decision })
}

async function decideByStore(
  { engine, findBalance }: AdmissionParts,
  caller: Caller,
  asked: {
    readonly controls: Controls
    readonly decision: AdmissionDecision | Promise<AdmissionDecision>
  },
): Promise<Decided> {
  const decision = await asked.decision
  if (decision.kind !== 'balance-unknown') return decision
  const balance = await findBalance(caller.accountId)
  if (!balance) throw new Error('The account of an authenticated key is missing')
  const taught = await engine.admit(caller, asked.controls, balance)
  if (taught.kind === 'balance-unknown') throw new Error('An engine asked for a balance that it was given')
  return taught
}

/** The refusal that a decision comes to; null when the request may go on. */
export function refusalOf(admission: Admission): ServiceError | null {
  switch (admission.kind) {
    case 'admitted':
      return null
    case 'rate-limited':
      return refusals.rateLimited()
    case 'credits-exhausted':
      return refusals.creditsExhausted()
    case 'concurrency-reached':
      return refusals.concurrencyReached(admission.concurrency?.limit ?? 0)
    case 'spending-cap-reached':
      return refusals.keySpendingCapReached(admission.cap.period, admission.cap.secondsLeft)
  }
}

/** The headers that every protected response carries, whatever became of the request: names and values in turns. */
export function limitHeaders({
  rate,
  concurrency,
}: Pick<Decided, 'rate' | 'concurrency'>): (string | number)[] {
  const fields: (string | number)[] = [
    'x-ratelimit-limit-requests',
    rate.limit,
    'x-ratelimit-remaining-requests',
    rate.remaining,
    'x-ratelimit-reset-requests',
    `${rate.resetSeconds}s`,
  ]
  if (concurrency) {
    fields.push('x-concurrency-limit', concurrency.limit)
    fields.push('x-concurrency-remaining', concurrency.remaining)
  }
  return fields
}
