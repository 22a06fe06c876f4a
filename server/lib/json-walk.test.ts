import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UNSURE, walkValue } from './json-walk.ts'

/** Whether the walk goes over all of the bytes as one value. */
function isWalked(bytes: Buffer): boolean {
  return walkValue(bytes, 0) === bytes.length
}

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
  expect(walkValue(Buffer.from('['.repeat(9_999) + ']'.repeat(9_999)), 0)).toBe(UNSURE)
})
