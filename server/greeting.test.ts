import { expect, test } from 'vitest'
import { greeting } from './greeting.ts'

const BASE = 'http://localhost:8080'

test('a first start tells where the API, the portal and the console are', () => {
  const text = greeting(BASE, {
    administrator: { email: 'admin@goldweight.local', generatedPassword: 'made-and-printed' },
    trial: null,
  })
  for (const place of [`${BASE}/v1`, `${BASE}/portal/`, `${BASE}/console/`]) expect(text).toContain(place)
  expect(text).toContain('made-and-printed')
})

test('a start that made nothing greets nobody', () => {
  expect(greeting(BASE, { administrator: null, trial: null })).toBeNull()
})
