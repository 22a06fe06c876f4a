import type { ApiError } from '#web/api/api-error.ts'
import type { Key } from '#web/api/client/keys.ts'

export type Explanation = {
  readonly title: string
  /** What it means here, and what to do. */
  readonly advice: string
  /** Whether credits are what helps. */
  readonly needsCredits?: true
}

/** Why a request was not answered, which limit it met, and what helps: in words for whoever asked. */
export function explainRefusal(error: ApiError, key: Key | undefined): Explanation {
  const { type, code, status, message } = error
  const { requests, window_seconds: seconds, concurrency } = key?.limits ?? {}
  if (type === 'rate_limit_exceeded') {
    return {
      title: "The key's request rate is reached",
      advice: `${key?.name ?? 'This key'} may send ${requests} requests in any ${seconds} seconds, whoever sends them. Wait up to ${error.retryAfterSeconds ?? seconds} seconds, or choose another key.`,
    }
  }
  if (type === 'insufficient_quota' && code === 'concurrency_limit') {
    return {
      title: "All of the key's requests are in flight",
      advice: `${key?.name ?? 'This key'} may have ${concurrency} requests running at one time. Wait until one of them ends, or choose another key.`,
    }
  }
  if (type === 'insufficient_quota' && code === 'key_spending_cap') {
    const { credits, period } = key?.spending_cap ?? {}
    return {
      title: "The key's spending cap is reached",
      advice: `${key?.name ?? 'This key'} may spend ${credits} credits in a ${period}, in UTC. Choose another key, or ask the operator to raise the cap.`,
    }
  }
  if (type === 'insufficient_quota') {
    return {
      title: 'The credits of your account are used up',
      advice: 'No key of your account can ask a model until there are credits again.',
      needsCredits: true,
    }
  }
  if (type === 'upstream_rate_limited') {
    return {
      title: 'The model is asked by too many at once',
      advice:
        "Its provider takes no more requests for now: this is none of your key's limits. Try again shortly, or choose another model.",
    }
  }
  if (status === 404 && type === 'not_found_error') {
    return {
      title: 'This key can not be used any more',
      advice: 'It was revoked or has expired. Choose another one.',
    }
  }
  return { title: 'There is no answer', advice: message }
}
