import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerHeaders } from './answer-head.ts'
import { AnswerParser } from './answer-parser.ts'
import { mutationOf, splitOf, validAnswer } from './answers.fixture.ts'
import { InvalidAnswer } from './invalid-answer.ts'

type Reading = {
  status: number | null
  headers: AnswerHeaders
  body: string
  /** null while the answer is not whole. */
  keepAliveMs: number | null
  failure: string | null
}

/** Reads an answer that comes in these pieces; pauses after every event when told so, and goes on after the last piece. */
function read(
  pieces: readonly Buffer[],
  { closes = false, pauses = false }: { readonly closes?: boolean; readonly pauses?: boolean } = {},
): Reading {
  const reading: Reading = { status: null, headers: {}, body: '', keepAliveMs: null, failure: null }
  let events = 0
  const note = () => {
    events++
    if (pauses) parser.pause()
  }
  const parser = new AnswerParser({
    head: (status, headers) => {
      reading.status = status
      reading.headers = headers
      note()
    },
    data: bytes => {
      reading.body += bytes.toString('latin1')
      note()
    },
    end: keepAliveMs => {
      expect(reading.keepAliveMs).toBeNull()
      reading.keepAliveMs = keepAliveMs
    },
  })
  parser.begin()
  try {
    // The decoder moves content within the bytes it is given, as it may: they are the connection's own copy.
    for (const piece of pieces) parser.push(Buffer.from(piece))
    if (closes) parser.close()
    for (let before = -1; before !== events; ) {
      before = events
      parser.resume()
    }
  } catch (error) {
    if (!(error instanceof InvalidAnswer)) throw error
    reading.failure = error.message
  }
  return reading
}

const ALWAYS = Number.POSITIVE_INFINITY

describe('a valid answer', () => {
  test('reads the same whole, in any pieces, and with a pause after everything', () => {
    const splitAnswer = validAnswer.chain(answer => fc.tuple(fc.constant(answer), splitOf(answer.bytes)))
    fc.assert(
      fc.property(splitAnswer, fc.boolean(), ([answer, pieces], pauses) => {
        const closes = answer.endsWithConnection
        const whole = read([answer.bytes], { closes })
        expect(whole).toMatchObject({
          status: answer.status,
          headers: answer.headers,
          body: answer.body.toString('latin1'),
          failure: null,
          keepAliveMs: closes ? 0 : ALWAYS,
        })
        expect(read(pieces, { closes, pauses })).toEqual(whole)
      }),
      { numRuns: 2_000 },
    )
  })

  test('reads the same byte by byte', () => {
    fc.assert(
      fc.property(validAnswer, answer => {
        const bytes = Array.from(answer.bytes, byte => Buffer.from([byte]))
        const closes = answer.endsWithConnection
        expect(read(bytes, { closes })).toEqual(read([answer.bytes], { closes }))
      }),
      { numRuns: 500 },
    )
  })

  test('is not whole before its last byte', () => {
    fc.assert(
      fc.property(validAnswer, fc.nat(), (answer, place) => {
        const cut = answer.bytes.subarray(0, place % answer.bytes.length)
        fc.pre(!answer.endsWithConnection || cut.indexOf('\r\n\r\n') === -1)
        expect(read([cut]).keepAliveMs).toBeNull()
        expect(read([cut], { closes: true }).failure).toMatch(/^closed (before its|within its)/)
      }),
      { numRuns: 1_000 },
    )
  })

  test('says that its connection must not be used again when anything follows it', () => {
    fc.assert(
      fc.property(validAnswer, fc.uint8Array({ minLength: 1, maxLength: 30 }), (answer, more) => {
        fc.pre(!answer.endsWithConnection)
        const followed = Buffer.concat([answer.bytes, more])
        expect(read([followed])).toMatchObject({ body: answer.body.toString('latin1'), keepAliveMs: 0 })
      }),
      { numRuns: 500 },
    )
  })
})

test('whatever comes, it is read or refused, in pieces as in one', () => {
  const mutated = validAnswer.chain(({ bytes }) => mutationOf(bytes))
  const garbage = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
  const cut = fc
    .oneof({ weight: 5, arbitrary: mutated }, garbage)
    .chain(bytes => fc.tuple(fc.constant(bytes), splitOf(bytes)))
  fc.assert(
    fc.property(cut, ([bytes, pieces]) => {
      const whole = read([bytes], { closes: true })
      const split = read(pieces, { closes: true })
      expect(split.failure === null).toBe(whole.failure === null)
      expect(whole.keepAliveMs === null).toBe(whole.failure !== null)
      if (whole.failure === null) {
        // What follows an answer may come with it, or after it.
        expect({ ...split, keepAliveMs: 0 }).toEqual({ ...whole, keepAliveMs: 0 })
      }
    }),
    { numRuns: 5_000 },
  )
})

const OK = 'HTTP/1.1 200 OK\r\n'

describe('is refused', () => {
  test.each([
    ['a bare line feed after the status', 'HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n'],
    ['a bare line feed after a field', `${OK}a: b\ncontent-length: 0\r\n\r\n`],
    ['a bare carriage return in a value', `${OK}a: b\rc\r\ncontent-length: 0\r\n\r\n`],
    ['a folded line', `${OK}a: b\r\n c\r\ncontent-length: 0\r\n\r\n`],
    ['a line folded with a tab', `${OK}a: b\r\n\tc: d\r\ncontent-length: 0\r\n\r\n`],
    ['a space before a colon', `${OK}content-length : 0\r\n\r\n`],
    ['a space before the first field', `${OK} content-length: 0\r\n\r\n`],
    ['a field without a name', `${OK}: 1\r\ncontent-length: 0\r\n\r\n`],
    ['a field without a colon', `${OK}nothing\r\ncontent-length: 0\r\n\r\n`],
    ['a NUL in a value', `${OK}a: \0\r\ncontent-length: 0\r\n\r\n`],
    ['two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['one length twice', `${OK}content-length: 1\r\ncontent-length: 1\r\n\r\na`],
    ['a list of lengths', `${OK}content-length: 1, 1\r\n\r\na`],
    ['a length with a sign', `${OK}content-length: +1\r\n\r\na`],
    ['a length with a space behind it', `${OK}content-length: 1 \r\n\r\na`],
    ['a coding with a tab behind it', `${OK}transfer-encoding: chunked\t\r\n\r\n0\r\n\r\n`],
    ['a length with a tab behind it', `${OK}content-length: 1\t\r\n\r\na`],
    ['a length in hexadecimal', `${OK}content-length: 0x1\r\n\r\na`],
    ['an empty length', `${OK}content-length:\r\n\r\n`],
    ['a length beyond all numbers', `${OK}content-length: 99999999999999999999\r\n\r\n`],
    ['a length beside chunks', `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks beside a length', `${OK}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`],
    ['a coding under the chunks', `${OK}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a coding that is none', `${OK}transfer-encoding: identity\r\n\r\n`],
    ['a coding with a vertical tab', `${OK}transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP/2', 'HTTP/2 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\ncontent-length: 0\r\n\r\n'],
    ['an empty line first', `\r\n${OK}content-length: 0\r\n\r\n`],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n'],
    ['an interim answer that is the last', 'HTTP/1.1 103\r\nconnection: close\r\n\r\n'],
    ['a head that is too large', `${OK}a: ${'b'.repeat(17_000)}\r\n\r\n`],
    ['interim answers without end', 'HTTP/1.1 103\r\n\r\n'.repeat(2_000)],
    ['a head without end', `${OK}${'a: b\r\n'.repeat(4_000)}`],
  ])('%s', (_name, text) => {
    const reading = read([Buffer.from(text, 'latin1')])
    expect(reading).toMatchObject({ status: null, keepAliveMs: null, failure: expect.any(String) })
  })

  test.each([
    ['a chunk size that is none', 'x\r\n'],
    ['an empty chunk size', '\r\nab\r\n'],
    ['a chunk size with a sign', '-1\r\na\r\n'],
    ['a chunk size with a prefix', '0x1\r\na\r\n'],
    ['a space before a chunk size', ' 1\r\na\r\n'],
    ['a space after a chunk size', '1 \r\na\r\n'],
    ['a chunk size beyond all numbers', 'ffffffffffffffff\r\na\r\n'],
    ['a bare line feed after a chunk size', '1\na\r\n'],
    ['a chunk that is longer than its size', '1\r\nab\r\n'],
    ['a chunk that is shorter than its size', '3\r\na\r\n0\r\n\r\n'],
    ['a bare line feed after a chunk', '1\r\na\n0\r\n\r\n'],
    ['an extension that is none', '1;\r\na\r\n'],
    ['an extension with a control character', '1;a=\x01\r\na\r\n'],
    ['an extension with an open quote', '1;a="b\r\na\r\n'],
    ['a long extension', `1;a=${'b'.repeat(20_000)}\r\n`],
    ['many extensions', '1;a=bcdefgh\r\na\r\n'.repeat(3_000)],
    ['a length in a trailer', '0\r\ncontent-length: 0\r\n\r\n'],
    ['a coding in a trailer', '0\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a trailer without a colon', '0\r\nnothing\r\n\r\n'],
    ['a folded trailer', '0\r\na: b\r\n c\r\n\r\n'],
    ['trailers without end', `0\r\n${'a: b\r\n'.repeat(5_000)}`],
  ])('%s', (_name, body) => {
    const reading = read([Buffer.from(`${OK}transfer-encoding: chunked\r\n\r\n${body}`, 'latin1')])
    expect(reading.failure).toEqual(expect.any(String))
    expect(reading.keepAliveMs).toBeNull()
  })
})

describe('a field', () => {
  test('may have any name, the names of what every object has among them', () => {
    const text = `${OK}__proto__: a\r\nconstructor: b\r\nhasOwnProperty: c\r\ncontent-length: 0\r\n\r\n`
    const { headers } = read([Buffer.from(text)])
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['hasownproperty', 'c'],
      ['content-length', '0'],
    ])
  })

  test('loses the blanks around its value, and nothing else', () => {
    const text = `${OK}a: \t b \xa0\t \r\nb:\r\nc:\xa0\r\ncontent-length: 0\r\n\r\n`
    expect(read([Buffer.from(text, 'latin1')]).headers).toMatchObject({ a: 'b \xa0', b: '', c: '\xa0' })
  })
})

describe('a connection', () => {
  test.each([
    ['without a word', '', ALWAYS],
    ['close', 'connection: close\r\n', 0],
    ['Close among others', 'Connection: x, Close\r\n', 0],
    ['close in a second field', 'connection: x\r\nconnection: close\r\n', 0],
    ['a word that only ends so', 'connection: disclose, close-by\r\n', ALWAYS],
    ['keep-alive', 'connection: keep-alive\r\n', ALWAYS],
    ['a hint', 'keep-alive: timeout=5, max=100\r\n', 5_000],
    ['a hint at the end', 'keep-alive: max=3, timeout=7\r\n', 7_000],
    ['a hint that is none', 'keep-alive: timeout=soon\r\n', ALWAYS],
    ['a hint of no time', 'keep-alive: timeout=0\r\n', 0],
  ])('that says %s is kept as long as it should', (_name, fields, keepAliveMs) => {
    expect(read([Buffer.from(`${OK}${fields}content-length: 0\r\n\r\n`)]).keepAliveMs).toBe(keepAliveMs)
  })

  test('of HTTP/1.0 is not kept, whatever it says', () => {
    const text = 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nab'
    expect(read([Buffer.from(text)])).toMatchObject({ body: 'ab', keepAliveMs: 0 })
  })
})

test('the content of chunks that come together goes on together', () => {
  let pieces = 0
  const parser = new AnswerParser({ head: () => {}, data: () => pieces++, end: () => {} })
  parser.begin()
  parser.push(Buffer.from(`${OK}transfer-encoding: chunked\r\n\r\n`))
  parser.push(Buffer.from('3\r\nabc\r\n2;x=y\r\nde\r\n1\r\nf\r\n0\r\n\r\n'))
  expect(pieces).toBe(1)
})

test('a parser that is stopped within an answer tells nothing more of it', () => {
  fc.assert(
    fc.property(validAnswer, fc.nat({ max: 3 }), (answer, stopAfter) => {
      let events = 0
      const tell = () => {
        if (events++ === stopAfter) parser.stop()
      }
      const parser = new AnswerParser({ head: tell, data: tell, end: tell })
      parser.begin()
      for (const byte of answer.bytes) parser.push(Buffer.from([byte]))
      expect(events).toBeLessThanOrEqual(stopAfter + 1)
    }),
    { numRuns: 300 },
  )
})
