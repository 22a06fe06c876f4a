/** Valid answers of every framing, made at random, and what is in them. */
import fc from 'fast-check'
import { accidentsTo, piecesOf, token, value } from '#lib/random-http.fixture.ts'

export type MadeAnswer = {
  readonly bytes: Buffer
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
  /** The body ends with the connection. */
  readonly endsWithConnection: boolean
}

const CRLF = '\r\n'
const blank = fc.constantFrom('', ' ', '\t', '  ')
const reason = fc.constantFrom('', ' ', ' OK', ' Not so good', ' \xfc\t!')

/** A field that says nothing of the body or the connection. */
const field = fc
  .tuple(
    token.map(text => `x-${text}`),
    value,
    blank,
    blank,
  )
  .map(([name, text, before, after]) => ({ name, text, line: `${name}:${before}${text}${after}${CRLF}` }))

const bytes = fc.uint8Array({ maxLength: 200 }).map(array => Buffer.from(array))
const status = fc.constantFrom(200, 200, 201, 299, 400, 404, 429, 500, 503, 599)

const extension = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(';a', ';a=b', ';a="b c"', ';a=1;b="2;3"') },
)
const size = (length: number) =>
  fc.constantFrom(
    length.toString(16),
    length.toString(16).toUpperCase(),
    length.toString(16).padStart(6, '0'),
    length.toString(16).padStart(11, '0'),
  )
const chunk = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .chain(content => fc.tuple(fc.constant(Buffer.from(content)), size(content.length), extension))
const trailers = fc.array(
  fc.tuple(token, value).map(([name, text]) => `x-${name}: ${text}${CRLF}`),
  { maxLength: 2 },
)

type Body = { readonly fields: string; readonly wire: Buffer; readonly content: Buffer }

const chunkedBody: fc.Arbitrary<Body> = fc
  .tuple(fc.array(chunk, { maxLength: 6 }), fc.constantFrom('0', '000'), extension, trailers)
  .map(([chunks, last, lastExtension, trailing]) => ({
    fields: `Transfer-Encoding: chunked${CRLF}`,
    wire: Buffer.concat([
      ...chunks.flatMap(([content, digits, ext]) => [
        Buffer.from(digits + ext + CRLF),
        content,
        Buffer.from(CRLF),
      ]),
      Buffer.from(last + lastExtension + CRLF + trailing.join('') + CRLF, 'latin1'),
    ]),
    content: Buffer.concat(chunks.map(([content]) => content)),
  }))

const sizedBody: fc.Arbitrary<Body> = bytes.map(content => ({
  fields: `content-LENGTH: ${content.length}${CRLF}`,
  wire: content,
  content,
}))

const openBody: fc.Arbitrary<Body> = bytes.map(content => ({ fields: '', wire: content, content }))

const emptyBody: fc.Arbitrary<Body> = fc
  .constantFrom('', `content-length: 7${CRLF}`)
  .map(fields => ({ fields, wire: Buffer.alloc(0), content: Buffer.alloc(0) }))

const interim = fc.constantFrom(
  '',
  '',
  '',
  `HTTP/1.1 103 Early Hints${CRLF}link: </a>; rel=preload${CRLF}${CRLF}`,
  `HTTP/1.1 102${CRLF}${CRLF}HTTP/1.1 103 Early Hints${CRLF}${CRLF}`,
)

/** The fields as a reader has them: names in lower case, several values of one name in a list. */
function read(fields: readonly { name: string; text: string }[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const { name, text } of fields) {
    const key = name.toLowerCase()
    const known = headers[key]
    const trimmed = text.replace(/^[\t ]+|[\t ]+$/g, '')
    headers[key] = known === undefined ? trimmed : [known, trimmed].flat()
  }
  return headers
}

function answer(statuses: fc.Arbitrary<number>, bodies: fc.Arbitrary<Body>, endsWithConnection: boolean) {
  return fc
    .tuple(interim, statuses, reason, fc.array(field, { maxLength: 4 }), bodies)
    .map(([before, code, text, fields, body]): MadeAnswer => {
      const lines = fields.map(({ line }) => line).join('')
      const head = `${before}HTTP/1.1 ${code}${text}${CRLF}${lines}${body.fields}${CRLF}`
      return {
        bytes: Buffer.concat([Buffer.from(head, 'latin1'), body.wire]),
        status: code,
        headers: read(fields),
        body: body.content,
        endsWithConnection,
      }
    })
}

/** An answer that every reader has to understand, and in the same way. */
export const validAnswer: fc.Arbitrary<MadeAnswer> = fc.oneof(
  answer(status, sizedBody, false),
  answer(status, chunkedBody, false),
  answer(status, openBody, true),
  answer(fc.constantFrom(204, 304), emptyBody, false),
)

const MAX_CUTS = 12

/** Pieces that come to the same bytes; an empty one has to change nothing. */
export function splitOf(whole: Buffer): fc.Arbitrary<Buffer[]> {
  return piecesOf(whole, MAX_CUTS)
}

const INSERTED: readonly string[] = [
  ';',
  '1',
  'f',
  'chunked',
  'HTTP/1.1 200 OK\r\n',
  'transfer-encoding: identity\r\n',
  'connection: upgrade\r\nupgrade: websocket\r\n',
  '0\r\n\r\n',
  'ffffffffffffffff',
]

/** The same answer after a few accidents, many of them in its head. */
export function mutationOf(whole: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.oneof(fc.nat({ max: whole.length }), fc.nat({ max: Math.min(80, whole.length) }))
  return accidentsTo(whole, { place, alsoInserted: INSERTED, most: 3 })
}
