import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeMember, scanObject, spliceBytes } from './json-scan.ts'

function textOf(bytes: Buffer, span: { valueStart: number; valueEnd: number } | undefined): unknown {
  return span && JSON.parse(bytes.toString('utf8', span.valueStart, span.valueEnd))
}

describe('scanning finds what parsing finds', () => {
  const members = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 6 })

  test('for every object, however it is spaced', () => {
    fc.assert(
      fc.property(members, fc.constantFrom(0, 1, '\t'), (object, indent) => {
        const bytes = Buffer.from(JSON.stringify(object, null, indent))
        const scanned = scanObject(bytes)
        const parsed = JSON.parse(bytes.toString())
        expect([...scanned.members.keys()].sort()).toEqual(Object.keys(parsed).sort())
        for (const [name, value] of Object.entries(parsed)) {
          expect(textOf(bytes, scanned.members.get(name))).toEqual(value)
        }
      }),
    )
  })

  test('taking a member out leaves all others', () => {
    fc.assert(
      fc.property(members, fc.nat(), fc.constantFrom(0, 2), (object, pick, indent) => {
        const bytes = Buffer.from(JSON.stringify(object, null, indent))
        const { members: found } = scanObject(bytes)
        const name = [...found.keys()][pick % Math.max(1, found.size)]
        const member = name === undefined ? undefined : found.get(name)
        if (name === undefined || !member) return
        const rest = JSON.parse(bytes.toString())
        delete rest[name]
        expect(JSON.parse(spliceBytes(bytes, [removeMember(bytes, member)]).toString())).toEqual(rest)
      }),
    )
  })
})

test('a name that stands twice is reported, even when one of them is escaped', () => {
  expect(scanObject(Buffer.from('{"model":"a","mod\\u0065l":"b"}')).duplicates).toEqual(new Set(['model']))
  expect(scanObject(Buffer.from('{"a":{"model":1},"model":2}')).duplicates.size).toBe(0)
})

test('edits replace values and leave every other byte', () => {
  const bytes = Buffer.from('{ "a" : 1 ,  "model":"x", "b":[ ] }')
  const model = scanObject(bytes).members.get('model')
  if (!model) throw new Error('no model')
  const edited = spliceBytes(bytes, [{ start: model.valueStart, end: model.valueEnd, text: '"longer"' }])
  expect(edited.toString()).toBe('{ "a" : 1 ,  "model":"longer", "b":[ ] }')
})
