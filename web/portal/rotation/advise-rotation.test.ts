import { expect, test } from 'vitest'
import type { Key, LiveUse } from '#web/api/client/keys.ts'
import { adviseRotation } from './advise-rotation.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const limits = { requests: 600, window_seconds: 60, concurrency: 32 }

function key(id: string, lastUsedAt: string | null): Key {
  return {
    id,
    object: 'api_key',
    name: id,
    hint: 'gw_Ab3…x9Q',
    user_id: 'usr_1',
    limits,
    models: null,
    spending_cap: null,
    created_at: '2026-11-01T12:00:00.000Z',
    last_used_at: lastUsedAt,
    expires_at: null,
    revoked_at: null,
  }
}

const use = (key_id: string, requests: number, in_flight = 0): LiveUse => ({
  object: 'live_use',
  key_id,
  name: key_id,
  hint: '',
  requests,
  in_flight,
  limits,
})

const LONG_AGO = '2026-11-21T11:00:00.000Z'
const JUST_NOW = '2026-11-21T11:58:00.000Z'

test.each([
  [
    'the old key has a request in flight',
    LONG_AGO,
    JUST_NOW,
    [use('old', 0, 1)],
    false,
    'old is in use right now',
  ],
  [
    'the old key was used in its window',
    LONG_AGO,
    JUST_NOW,
    [use('old', 3)],
    false,
    'old is in use right now',
  ],
  ['the new key was never used', LONG_AGO, null, [], false, 'new was never used'],
  ['the old key was used a moment ago', JUST_NOW, JUST_NOW, [use('new', 2)], false, 'until 2 min ago'],
  ['the new key is used for the first time', LONG_AGO, null, [use('new', 1)], true, 'it can be revoked'],
  ['the old key is quiet', LONG_AGO, JUST_NOW, [], true, 'it can be revoked'],
  ['the old key was never used at all', null, JUST_NOW, [], true, 'it can be revoked'],
])('when %s', (_case, oldUsed, nextUsed, live, isSafe, text) => {
  const advice = adviseRotation({ old: key('old', oldUsed), next: key('new', nextUsed), live, now: NOW })
  expect(advice.isSafe).toBe(isSafe)
  expect(advice.text).toContain(text)
})
