import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWalked } from './json-walk.ts'
import { SMALL_BYTES } from './shared-bytes.ts'

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('what is walked over is JSON', () => {
  test('whatever value it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        expect(isWalked(Buffer.from(JSON.stringify(value, null, indent)))).toBe(true)
      }),
    )
  })

  const piece = fc.constantFrom(...'{}[]":,\\/ -+.0123eEutrfalsn\n\t\r\0\x1f\x7f\u{fffd}ä')
  const text = fc.array(piece, { maxLength: 9 }).map(pieces => pieces.join(''))

  test.each(['', '"', '{"a":', '[1,', '-', '"\\u', `"${'plain '.repeat(20)}`])(
    'behind %s as well as by itself',
    start => {
      fc.assert(
        fc.property(text, fc.constantFrom('', '"', '}', ']', '"}'), (middle, end) => {
          const written = (start + middle + end).trim()
          expect({ written, isJson: isWalked(Buffer.from(written)) }).toEqual({
            written,
            isJson: isParsed(written),
          })
        }),
        { numRuns: 1_000 },
      )
    },
  )

  test('in texts of every length, whatever ends them', () => {
    for (let length = 0; length < 150; length++) {
      const plain = 'ä\u{1f600}~ '.repeat(50).slice(0, length)
      for (const end of ['"', '\\"', '\n"', '\\n"', '\0"', '']) {
        const written = `"${plain}${end}`
        expect({ written, isJson: isWalked(Buffer.from(written)) }).toEqual({
          written,
          isJson: isParsed(written),
        })
      }
    }
  })
})

test('what is nested deeply is left to a parser', () => {
  expect(isWalked(Buffer.from('['.repeat(9_999) + ']'.repeat(9_999)))).toBe(false)
})

describe('of what was walked over before', () => {
  test.each(['"plain', '[1', '{"a":1', 'tru', '-', '"\\u00', '{"a"', '"', '[', '12e'])(
    'nothing is taken for the rest of %s',
    start => {
      const before = start + '"aaaa, true]}'.repeat(4)
      for (let length = start.length; length < before.length; length++) {
        isWalked(Buffer.from(before.slice(0, length)))
        expect(isWalked(Buffer.from(start))).toBe(false)
      }
      isWalked(Buffer.from('11111111'))
      expect(isWalked(Buffer.from('1'))).toBe(true)
    },
  )

  test('the largest leaves room for its end, and larger ones are left to a parser', () => {
    const largest = Buffer.from(`"${'a'.repeat(SMALL_BYTES - 2)}"`)
    expect(isWalked(largest)).toBe(true)
    expect(isWalked(Buffer.concat([largest.subarray(0, -1), Buffer.from('a')]))).toBe(false)
    expect(isWalked(Buffer.concat([largest, Buffer.from(' ')]))).toBe(false)
  })
})
