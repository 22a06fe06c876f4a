import { describe, expect, test } from 'vitest'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { createTokenKeeper } from './token-keeper.ts'

const HOUR_MS = 3_600_000

const PROVIDER: CatalogProvider = {
  id: 'prv_1',
  name: 'A provider',
  kind: 'vertex',
  baseUrl: 'http://127.0.0.1',
  credential: '{}',
  credentialId: 'prv_1:1',
  credentialName: null,
  endpoints: null,
  headers: {},
  timeouts: { connect_ms: 1, first_byte_ms: 1, idle_ms: 1 },
}

function startKeeper() {
  const state = { now: 0, asked: 0, fail: false }
  const keep = createTokenKeeper({
    nowMs: () => state.now,
    request: async () => {
      const number = ++state.asked
      await new Promise(resolve => setImmediate(resolve))
      if (state.fail) throw new Error('no token')
      return { text: `token-${number}`, livesMs: HOUR_MS }
    },
  })
  return { state, keep }
}

describe('a token', () => {
  test('is asked for once, however many wait for it', async () => {
    const { state, keep } = startKeeper()
    expect(await Promise.all([keep(PROVIDER), keep(PROVIDER), keep(PROVIDER)])).toEqual([
      'token-1',
      'token-1',
      'token-1',
    ])
    expect(await keep(PROVIDER)).toBe('token-1')
    expect(state.asked).toBe(1)
  })

  test('is renewed five minutes before it ends, and nobody waits for that', async () => {
    const { state, keep } = startKeeper()
    await keep(PROVIDER)
    state.now = HOUR_MS - 6 * 60_000
    expect(await keep(PROVIDER)).toBe('token-1')
    expect(state.asked).toBe(1)
    state.now = HOUR_MS - 4 * 60_000
    expect(await keep(PROVIDER)).toBe('token-1')
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(await keep(PROVIDER)).toBe('token-2')
    expect(state.asked).toBe(2)
  })

  test('that can not be renewed serves to its end, and then none does', async () => {
    const { state, keep } = startKeeper()
    await keep(PROVIDER)
    state.fail = true
    state.now = HOUR_MS - 60_000
    expect(await keep(PROVIDER)).toBe('token-1')
    await new Promise(resolve => setTimeout(resolve, 5))
    state.now = HOUR_MS
    await expect(keep(PROVIDER)).rejects.toThrow('no token')
    state.fail = false
    expect(await keep(PROVIDER)).toMatch(/^token-/)
  })

  test('belongs to one credential', async () => {
    const { state, keep } = startKeeper()
    expect(await keep(PROVIDER)).toBe('token-1')
    expect(await keep({ ...PROVIDER, credential: '{"another":1}' })).toBe('token-2')
    expect(state.asked).toBe(2)
  })
})
