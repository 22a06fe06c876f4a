import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SseSplitter, sseEvent } from './sse.ts'

function read(pieces: readonly Buffer[]) {
  const splitter = new SseSplitter()
  const events = [...pieces.flatMap(piece => splitter.push(piece)), ...splitter.end()]
  return events.map(event => ({ name: event.name, data: event.data?.toString() ?? null }))
}

function bytewise(text: string): Buffer[] {
  return [...Buffer.from(text)].map(byte => Buffer.from([byte]))
}

const STREAM = ': a comment\n\nevent: note\ndata: {"a":"é"}\n\ndata: one\ndata: two\n\ndata:[DONE]\n\n'
const EVENTS = [
  { name: null, data: null },
  { name: 'note', data: '{"a":"é"}' },
  { name: null, data: 'one\ntwo' },
  { name: null, data: '[DONE]' },
]

describe('events are the same however their bytes come', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('with %s line ends, whole and byte by byte', (_name, lineEnd) => {
    const text = STREAM.replaceAll('\n', lineEnd)
    expect(read([Buffer.from(text)])).toEqual(EVENTS)
    expect(read(bytewise(text))).toEqual(EVENTS)
  })

  test('cut anywhere', () => {
    const bytes = Buffer.from(STREAM.replaceAll('\n', '\r\n'))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), cuts => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
        expect(read(pieces)).toEqual(EVENTS)
      }),
    )
  })

  test('the raw bytes of all events together are the stream', () => {
    const splitter = new SseSplitter()
    const events = bytewise(STREAM).flatMap(piece => splitter.push(piece))
    expect(Buffer.concat(events.map(event => event.raw)).toString()).toBe(STREAM)
  })
})

test('a byte order mark at the very start is no part of the first event', () => {
  expect(read(bytewise(`\uFEFF${STREAM}`))).toEqual(EVENTS)
})

test('a last event without its blank line is read at the end', () => {
  expect(read([Buffer.from('data: a\n\ndata: [DONE]')]).at(-1)).toEqual({ name: null, data: '[DONE]' })
})

test('fields that only begin like data are not data', () => {
  expect(read([Buffer.from('database: x\ndata\ndata: y\n\n')])).toEqual([{ name: null, data: '\ny' }])
})

test('an event that is made reads back as its data', () => {
  expect(read([sseEvent('one\ntwo')])).toEqual([{ name: null, data: 'one\ntwo' }])
})
