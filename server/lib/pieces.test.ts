import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spliceBytes } from './json-scan.ts'
import { splice, toBytes, toLatin1 } from './pieces.ts'

test('a body comes to the same bytes, small or big, whatever is put into it', () => {
  const edit = fc.tuple(fc.nat(30), fc.nat(5), fc.string({ unit: 'binary', maxLength: 5 }))
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 90, maxLength: 120 }),
      fc.array(edit, { maxLength: 3 }),
      fc.constantFrom(0, 20_000),
      (given, changes, more) => {
        const bytes = Buffer.concat([given, Buffer.alloc(more)])
        // One in each third, in any order.
        const edits = changes
          .map(([at, length, text], index) => ({
            start: index * 30 + at,
            end: index * 30 + at + length,
            text,
          }))
          .filter(({ end }, index, all) => end <= (all[index + 1]?.start ?? 90))
          .reverse()
        const pieces = splice(bytes, edits)
        const expected = spliceBytes(bytes, edits)
        expect(Buffer.concat(pieces.map(toBytes)).equals(expected)).toBe(true)
        expect(pieces.map(toLatin1).join('')).toBe(expected.toString('latin1'))
        expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(expected.length)
      },
    ),
  )
})
