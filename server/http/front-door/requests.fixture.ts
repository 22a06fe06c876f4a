/** Requests made at random: ordinary ones, rare ones, and what accidents make of them. */
import fc from 'fast-check'
import { accidentsTo, piecesOf, token, value } from '#lib/random-http.fixture.ts'

const CRLF = '\r\n'
const blank = fc.constantFrom('', ' ', ' ', '\t', '  ')
const path = fc.constantFrom('/v1/echo', '/v1/echo', '/v1/echo', '/v1/chunks', '/v1/chunks', '/v1/early')

const name = fc.oneof(
  fc.constantFrom('x-a', 'X-A', 'x-b', 'X-B', 'x-C1'),
  token.map(text => `x-${text}`),
)
const field = fc
  .tuple(name, value, blank, blank)
  .map(([name, text, before, after]) => `${name}:${before}${text}${after}`)
const knownField = fc.constantFrom(
  'Accept: */*',
  'accept-encoding: gzip, deflate',
  'Connection: keep-alive',
  'connection: Keep-Alive',
  'content-type: application/json',
  'Authorization: Bearer gw_abc',
  'User-Agent: some/1.0 (thing)',
  'origin: https://a.example',
)

const content = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map(code => String.fromCharCode(code)),
  maxLength: 120,
})

/** A request that the front door serves, if it comes in one piece. */
export const ordinaryRequest: fc.Arbitrary<Buffer> = fc
  .tuple(path, fc.uniqueArray(fc.oneof(field, knownField), { maxLength: 5, selector: nameOf }), content)
  .map(([target, fields, body]) => {
    const lines = [`POST ${target} HTTP/1.1`, 'Host: a.example', ...fields, `Content-Length: ${body.length}`]
    return Buffer.from(`${lines.join(CRLF)}${CRLF}${CRLF}${body}`, 'latin1')
  })

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(':')).toLowerCase()
}

const RARE: readonly string[] = [
  'GET /v1/echo HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /other HTTP/1.1\r\nhost: a\r\nx-a: b\r\nx-a: c\r\n\r\n',
  'POST /other HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nab',
  'POST /v1/echo?a=b HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nab',
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\n\r\n',
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n',
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 1\r\n\r\na',
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\ncontent-type: a\r\nContent-Type: b\r\ncontent-length: 1\r\n\r\na',
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\na',
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\nconstructor: 1\r\n__proto__: 2\r\ncontent-length: 1\r\n\r\na',
  '\r\n\r\nPOST /v1/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\na',
]

export const rareRequest: fc.Arbitrary<Buffer> = fc.constantFrom(...RARE).map(text => Buffer.from(text))

/** After its answer the connection is closed, whoever serves it. */
export const LAST_REQUEST = Buffer.from(
  'POST /v1/echo HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 4\r\n\r\nlast',
)

/** Pieces that come to the same bytes. */
export function splitOf(whole: Buffer, maxCuts: number): fc.Arbitrary<Buffer[]> {
  return piecesOf(whole, maxCuts).map(pieces => pieces.filter(piece => piece.length > 0))
}

const INSERTED: readonly string[] = [
  '\x7f',
  'connection: keep-alive, x\r\n',
  'proxy-connection: close\r\n',
  // With `connection: upgrade` beside it, node loses what comes in the same packet behind the request.
  'upgrade: websocket\r\n',
  'expect: 100-continue\r\n',
  'host: b\r\n',
  'GET / HTTP/1.1\r\n\r\n',
]

/** The same bytes after one or two accidents, many of them at the beginning of a line. */
export function mutationOf(whole: Buffer): fc.Arbitrary<Buffer> {
  const lineStarts = [...whole.toString('latin1').matchAll(/\r\n/g)].map(({ index }) => index + 2)
  const place = fc.oneof(fc.nat({ max: whole.length }), fc.constantFrom(...lineStarts))
  return accidentsTo(whole, { place, alsoInserted: INSERTED, most: 2 })
}
