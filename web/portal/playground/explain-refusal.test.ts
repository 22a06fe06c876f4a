import { expect, test } from 'vitest'
import { refusals, type ServiceError, toEnvelope } from '#contract/errors.ts'
import { envelopeError } from '#web/api/api-error.ts'
import type { Key } from '#web/api/client/keys.ts'
import { explainRefusal } from './explain-refusal.ts'

const KEY: Key = {
  id: 'key_1',
  object: 'api_key',
  name: 'notebook',
  hint: 'gw_Ab3…x9Q',
  user_id: 'usr_1',
  limits: { requests: 600, window_seconds: 60, concurrency: 32 },
  models: null,
  spending_cap: { credits: 5, period: 'day' },
  created_at: '2026-11-21T08:00:00.000Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
}

function explain(refusal: ServiceError) {
  const retryAfterSeconds = Number(refusal.headers?.['retry-after']) || null
  return explainRefusal(
    envelopeError(toEnvelope(refusal), { status: refusal.status, requestId: 'req_1', retryAfterSeconds }),
    KEY,
  )
}

test.each([
  [refusals.rateLimited(), 'request rate', 'notebook may send 600 requests in any 60 seconds'],
  [refusals.keySpendingCapReached('day', 60), 'spending cap', 'notebook may spend 5 credits in a day'],
  [refusals.concurrencyReached(32), 'in flight', 'notebook may have 32 requests running'],
  [refusals.creditsExhausted(), 'used up', 'until there are credits again'],
  [refusals.upstreamThrottled(3), 'too many at once', 'choose another model'],
  [refusals.notFound(), 'can not be used', 'Choose another one'],
  [refusals.modelNotFound('acme/x'), 'no answer', "The model 'acme/x' does not exist"],
])('%o says which limit was met and what to do', (refusal, title, advice) => {
  const explanation = explain(refusal)
  expect(explanation.title).toContain(title)
  expect(explanation.advice).toContain(advice)
})
