import { expect, test } from 'vitest'
import { readFirstSteps } from './newcomer.ts'

const NOTHING = { account: { used: 0, quota: 0 }, keys: 0, requests: [] }

test.each([
  ['nothing at all', NOTHING, [false, false, false]],
  ['a key', { ...NOTHING, keys: 1 }, [true, false, false]],
  ['credits', { ...NOTHING, account: { used: 0, quota: 5 } }, [false, true, false]],
  ['a request that failed', { ...NOTHING, requests: [{ status: 'failed' }] }, [false, false, false]],
  ['an answer that was free', { ...NOTHING, requests: [{ status: 'succeeded' }] }, [false, false, true]],
  ['an answer whose record is gone', { ...NOTHING, account: { used: 1, quota: 5 } }, [false, true, true]],
])('with %s, the steps that are done are ticked off', (_what, known, [hasKey, hasCredits, hasAnswer]) => {
  expect(readFirstSteps(known)).toEqual({ hasKey, hasCredits, hasAnswer })
})
