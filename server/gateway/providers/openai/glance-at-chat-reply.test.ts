import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCarefully } from '#gateway/providers/read-reply.ts'
import { glanceAtChatReply } from './glance-at-chat-reply.ts'

const PUBLIC_MODEL = 'a/model'

const usage = { prompt_tokens: 12, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } }
const ordinary = {
  id: 'chatcmpl-1',
  model: 'upstream-model',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'a "quoted" word\n ä' }, finish_reason: 'stop' },
  ],
  usage,
}

const careful = (bytes: Buffer) =>
  readCarefully({ endpoint: 'chat', bytes, publicModel: PUBLIC_MODEL, contentType: 'application/json' })

/** A glance may be unsure; what it is sure of is what the careful way reads. */
function expectAgreement(bytes: Buffer): void {
  const glanced = glanceAtChatReply(bytes, PUBLIC_MODEL)
  if (glanced === null) return
  expect({ text: bytes.toString(), read: glanced }).toEqual({ text: bytes.toString(), read: careful(bytes) })
}

describe('a glance is enough', () => {
  test.each([
    ['an ordinary answer', ordinary],
    ['an answer that bears the public name', { ...ordinary, model: PUBLIC_MODEL }],
    ['an answer without a name', { choices: ordinary.choices, usage }],
    ['an answer that says there is no error', { ...ordinary, error: null }],
  ])('for %s', (_name, body) => {
    for (const indent of [0, 2]) {
      const bytes = Buffer.from(JSON.stringify(body, null, indent))
      expect(glanceAtChatReply(bytes, PUBLIC_MODEL)).toEqual(careful(bytes))
    }
  })
})

describe('a glance is not enough', () => {
  test.each([
    ['nothing was reported', { ...ordinary, usage: null }],
    ['what was reported says nothing', { ...ordinary, usage: { prompt_tokens: 0, completion_tokens: 0 } }],
    ['there is an error', { ...ordinary, error: { message: 'no' } }],
    ['there is no choice', { ...ordinary, choices: [] }],
    ['the name has escapes', { ...ordinary, model: 'a\\model' }],
    ['it is a list', [ordinary]],
  ])('where %s', (_name, body) => {
    expect(glanceAtChatReply(Buffer.from(JSON.stringify(body)), PUBLIC_MODEL)).toBe(null)
  })

  test.each(['"usage":{"prompt_tokens":1}', '"model":"other"', '"choices":[1]', '"err\\u006fr":1'])(
    'where %s stands behind the rest',
    member => {
      const text = JSON.stringify(ordinary).replace(/\}$/, `,${member}}`)
      expect(glanceAtChatReply(Buffer.from(text), PUBLIC_MODEL)).toBe(null)
    },
  )
})

describe('a glance and the careful way agree', () => {
  const name = fc.oneof(
    fc.constantFrom('model', 'choices', 'usage', 'error', 'Error', 'id'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const report = fc.dictionary(
    fc.constantFrom('prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_tokens_details'),
    fc.oneof(fc.nat(), fc.constant(null), fc.record({ cached_tokens: fc.nat() }), fc.jsonValue()),
  )
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(null, false, 0, ''),
    fc.array(fc.jsonValue(), { maxLength: 2 }),
    report,
    fc.jsonValue(),
  )
  const members = fc.array(fc.tuple(name, value), { maxLength: 5 })
  const byte = fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\/ue0-+. \n\0truefalsn')), fc.nat(255))
  const change = fc.tuple(fc.nat(), fc.nat(1), fc.array(byte, { maxLength: 2 }))

  test('on answers with any members, also twice, whose bytes were changed', () => {
    fc.assert(
      fc.property(members, fc.array(change, { maxLength: 2 }), fc.boolean(), (list, changes, isOrdinary) => {
        const all: [string, unknown][] = isOrdinary ? [...Object.entries(ordinary), ...list] : list
        let bytes = Buffer.from(
          `{${all.map(([key, held]) => `${JSON.stringify(key)}:${JSON.stringify(held)}`).join(',')}}`,
        )
        for (const [place, removed, added] of changes) {
          const at = place % (bytes.length + 1)
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(added), bytes.subarray(at + removed)])
        }
        expectAgreement(bytes)
      }),
      { numRuns: 3_000 },
    )
  })
})
