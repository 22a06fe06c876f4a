import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCipher } from './cipher.ts'

const cipher = createCipher('a secret of the service')
const binding = { purpose: 'provider credential', id: 'prv_1' }

describe('the cipher', () => {
  test('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(cipher.open(cipher.seal(text, binding), binding)).toBe(text)
      }),
    )
  })

  test('a ciphertext does not open for another row or another purpose', () => {
    const sealed = cipher.seal('sk-value', binding)
    expect(cipher.open(sealed, { ...binding, id: 'prv_2' })).toBeNull()
    expect(cipher.open(sealed, { ...binding, purpose: 'provider headers' })).toBeNull()
  })

  test('the parts of a binding can not be shifted into each other', () => {
    const sealed = cipher.seal('sk-value', { purpose: 'ab', id: 'c' })
    expect(cipher.open(sealed, { purpose: 'a', id: 'bc' })).toBeNull()
  })

  test('a ciphertext does not open under another secret', () => {
    expect(createCipher('another').open(cipher.seal('sk-value', binding), binding)).toBeNull()
  })

  test('an altered, cut or foreign text does not open and does not throw', () => {
    const sealed = cipher.seal('sk-value', binding)
    for (let place = 3; place < sealed.length - 1; place++) {
      const other = sealed.charAt(place) === 'A' ? 'B' : 'A'
      const altered = sealed.slice(0, place) + other + sealed.slice(place + 1)
      expect(cipher.open(altered, binding)).toBeNull()
      expect(cipher.open(sealed.slice(0, place), binding)).toBeNull()
    }
    for (const foreign of ['', 'v1.', 'v2.AAAA', 'sk-plain', sealed.replace('v1', 'v2')]) {
      expect(cipher.open(foreign, binding)).toBeNull()
    }
  })

  test('two seals of one text differ, and neither shows it', () => {
    const [first, second] = [cipher.seal('sk-value', binding), cipher.seal('sk-value', binding)]
    expect(first).not.toBe(second)
    expect(first).not.toContain('sk-value')
  })

  test('needs a secret', () => {
    expect(() => createCipher('')).toThrow()
  })
})
