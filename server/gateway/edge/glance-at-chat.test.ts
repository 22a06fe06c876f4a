import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { glanceAtChat } from './glance-at-chat.ts'
import { parseCarefully, parseGenerationRequest } from './parse-request.ts'

const ordinary = { model: 'a/model', messages: [{ role: 'user', content: 'a "quoted" word\n' }] }

function careful(bytes: Buffer) {
  const parsed = parseCarefully('chat', bytes, 'application/json')
  return parsed.ok ? parsed.value : parsed.refusal
}

/** A glance may be unsure; what it is sure of is what the careful way finds. */
function expectAgreement(bytes: Buffer): void {
  const glanced = glanceAtChat(bytes)
  if (glanced !== null)
    expect({ text: bytes.toString(), found: glanced }).toEqual({
      text: bytes.toString(),
      found: careful(bytes),
    })
}

describe('a glance is enough', () => {
  test.each([
    ['a plain request', ordinary],
    ['a stream', { stream: true, ...ordinary, temperature: 0.5e-1, stop: null }],
    ['a stream that is none', { ...ordinary, stream: false, seed: -12 }],
    [
      'tools and pictures',
      { ...ordinary, tools: [{ type: 'function', function: { name: 'ä', parameters: {} } }], user: '' },
    ],
  ])('for %s', (_name, body) => {
    for (const indent of [0, 2, '\t']) {
      const bytes = Buffer.from(JSON.stringify(body, null, indent))
      expect(glanceAtChat(bytes)).toEqual(careful(bytes))
    }
  })
})

describe('a glance is not enough', () => {
  test.each([
    ['what decides stands twice', '{"model":"a","model":"b","messages":[{"role":"user"}]}'],
    ['a name is written in capitals', '{"model":"a","Model":"b","messages":[{"role":"user"}]}'],
    ['a name is written with escapes', '{"model":"a","messages":[{"role":"user"}],"strea\\u006d":true}'],
    ['a role could stand twice', '{"model":"a","messages":[{"role":"user","r\\u006fle":1}]}'],
    ['there is no role', '{"model":"a","messages":[{"content":"role"}]}'],
    ['a role is no text', '{"model":"a","messages":[{"role":"user","role":1}]}'],
    ['there is no message', '{"model":"a","messages":[ ]}'],
    ['the model has no name', '{"model":"","messages":[{"role":"user"}]}'],
    ['there are choices', '{"model":"a","n":2,"messages":[{"role":"user"}]}'],
    ['there is something behind it', '{"model":"a","messages":[{"role":"user"}]} {}'],
    ['it breaks off', '{"model":"a","messages":[{"role":"user"}]'],
    ['a text holds a line feed', '{"model":"a","messages":[{"role":"user\n"}]}'],
    ['a number is none', '{"model":"a","messages":[{"role":"user"}],"seed":01}'],
    [
      'it is nested deeply',
      `{"model":"a","messages":[{"role":"user"}],"x":${'['.repeat(9_999)}${']'.repeat(9_999)}}`,
    ],
  ])('where %s', (_name, text) => {
    expect(glanceAtChat(Buffer.from(text))).toBe(null)
  })
})

describe('a glance and the careful way agree', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'model',
      'messages',
      'stream',
      'n',
      'stream_options',
      'Model',
      'MESSAGES',
      'strea\u006d',
      'user',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const message = fc.dictionary(
    fc.constantFrom('role', 'content', 'Role'),
    fc.oneof(fc.string(), fc.jsonValue()),
  )
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    fc.array(message),
    fc.array(fc.record({ role: fc.string(), content: fc.jsonValue() }), { minLength: 1 }),
    fc.jsonValue(),
  )
  const members = fc.array(fc.tuple(name, value), { maxLength: 7 })
  const indent = fc.constantFrom('', ' ', '\n', '\r\n\t')

  /** Members as they are written, so that a name can stand twice. */
  const written = (list: [string, unknown][], blank: string) =>
    `${blank}{${list.map(([key, held]) => `${blank}${JSON.stringify(key)}${blank}:${blank}${JSON.stringify(held)}`).join(',')}}${blank}`

  const ordinaryMembers: [string, unknown][] = Object.entries(ordinary)

  test('on objects of any members, in any order, also twice', () => {
    fc.assert(
      fc.property(members, indent, fc.boolean(), (list, blank, isOrdinary) => {
        expectAgreement(Buffer.from(written(isOrdinary ? [...ordinaryMembers, ...list] : list, blank)))
      }),
      { numRuns: 1_000 },
    )
  })

  const byte = fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\/ue0-+. \n\0truefalsn')), fc.nat(255))

  test('on bytes that were changed, taken out or put in', () => {
    fc.assert(
      fc.property(
        members,
        fc.array(fc.tuple(fc.nat(), fc.nat(1), fc.array(byte, { maxLength: 2 })), { maxLength: 3 }),
        (list, changes) => {
          let bytes = Buffer.from(written([...ordinaryMembers, ...list], ''))
          for (const [place, removed, added] of changes) {
            const at = place % (bytes.length + 1)
            bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(added), bytes.subarray(at + removed)])
          }
          expectAgreement(bytes)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('on every place where a request can break off', () => {
    const bytes = Buffer.from(
      JSON.stringify({ ...ordinary, stream: true, seed: -1.5e3, stop: [null, 'a\u00e4\ud83d\ude00'] }),
    )
    for (let end = 0; end < bytes.length; end++) {
      expect(glanceAtChat(bytes.subarray(0, end))).toBe(null)
      expect(parseGenerationRequest('chat', bytes.subarray(0, end), 'application/json').ok).toBe(false)
    }
    expect(glanceAtChat(bytes)).toEqual(careful(bytes))
  })
})
