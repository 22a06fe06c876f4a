import type { Me } from '#web/api/client/session.ts'

/** How far somebody is on the way to the first answer. */
export type FirstSteps = {
  readonly hasKey: boolean
  readonly hasCredits: boolean
  readonly hasAnswer: boolean
}

export type Known = {
  readonly account: Pick<Me['account'], 'used' | 'quota'>
  /** How many keys there are, whatever became of them. */
  readonly keys: number
  readonly requests: readonly { readonly status: string }[]
}

/** Records of requests may be gone after a while; what was used stays on the account. */
export function readFirstSteps({ account, keys, requests }: Known): FirstSteps {
  return {
    hasKey: keys > 0,
    hasCredits: account.quota > 0,
    hasAnswer: account.used > 0 || requests.some(({ status }) => status === 'succeeded'),
  }
}

/** Whoever has an answer needs no first steps any more. */
export function isNewcomer({ hasAnswer }: FirstSteps): boolean {
  return !hasAnswer
}
