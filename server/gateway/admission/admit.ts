import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Caller } from '#domains/keys/caller.ts'
import type { Balance } from '#storage/storage.ts'
import type { AdmissionEngine, Controls, Decided } from './engine.ts'

export type AdmissionParts = {
  readonly engine: AdmissionEngine
  /** Reads an account's balance from the store; null when there is no such account. */
  readonly findBalance: (accountId: string) => Promise<Balance | null>
}

/** Asks the engine, and again with the account's balance from the store where the engine knows none to rely on. */
export async function admit(
  { engine, findBalance }: AdmissionParts,
  caller: Caller,
  controls: Controls,
): Promise<Decided> {
  const decision = await engine.admit(caller, controls)
  if (decision.kind !== 'balance-unknown') return decision
  const balance = await findBalance(caller.accountId)
  if (!balance) throw new Error('The account of an authenticated key is missing')
  const taught = await engine.admit(caller, controls, balance)
  if (taught.kind === 'balance-unknown') throw new Error('An engine asked for a balance that it was given')
  return taught
}

/** The refusal that a decision comes to; null when the request may go on. */
export function refusalOf({ kind, concurrency }: Decided): ServiceError | null {
  switch (kind) {
    case 'admitted':
      return null
    case 'rate-limited':
      return refusals.rateLimited()
    case 'credits-exhausted':
      return refusals.creditsExhausted()
    case 'concurrency-reached':
      return refusals.concurrencyReached(concurrency?.limit ?? 0)
  }
}

/** The headers that every protected response carries, whatever became of the request. */
export function limitHeaders({ rate, concurrency }: Decided): Record<string, string> {
  const headers: Record<string, string> = {
    'x-ratelimit-limit-requests': String(rate.limit),
    'x-ratelimit-remaining-requests': String(rate.remaining),
    'x-ratelimit-reset-requests': `${rate.resetSeconds}s`,
  }
  if (concurrency) {
    headers['x-concurrency-limit'] = String(concurrency.limit)
    headers['x-concurrency-remaining'] = String(concurrency.remaining)
  }
  return headers
}
