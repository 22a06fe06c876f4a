import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

test('a password fits its own hash alone, and nothing fits nobody', async () => {
  const passwords = createPasswords()
  const hashed = await passwords.hash('correct horse battery')
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(hashed, 'correct horse battery')).toBe(true)
  expect(await passwords.verify(hashed, 'correct horse batterz')).toBe(false)
  expect(await passwords.verify(null, 'correct horse battery')).toBe(false)
})

test('the same password has another hash each time', async () => {
  const passwords = createPasswords()
  expect(await passwords.hash('twice the same')).not.toBe(await passwords.hash('twice the same'))
})

test('checking against nobody takes about as long as checking against somebody', async () => {
  const passwords = createPasswords()
  const hashed = await passwords.hash('correct horse battery')
  const best = { nobody: Number.POSITIVE_INFINITY, somebody: Number.POSITIVE_INFINITY }
  // In turns, so that both meet the same machine; whatever else it does only adds to what a check takes.
  for (let i = 0; i < 12; i++) {
    for (const [who, against] of [['nobody', null] as const, ['somebody', hashed] as const]) {
      const startedAt = performance.now()
      await passwords.verify(against, 'a wrong password')
      best[who] = Math.min(best[who], performance.now() - startedAt)
    }
  }
  const ratio = best.nobody / best.somebody
  expect(ratio).toBeGreaterThan(0.4)
  expect(ratio).toBeLessThan(2.5)
})

test('more work than places waits its turn, and a failure gives its place back', async () => {
  const passwords = createPasswords({ maxAtOnce: 1 })
  const failures = Array.from({ length: 3 }, () => passwords.verify('not a hash', 'x').catch(() => 'failed'))
  const hashed = await Promise.all([...failures, passwords.hash('after the failures')])
  expect(hashed.slice(0, 3)).toEqual(['failed', 'failed', 'failed'])
  expect(await passwords.verify(String(hashed[3]), 'after the failures')).toBe(true)
})
