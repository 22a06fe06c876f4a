/** Requests made at random: ordinary ones, rare ones, and what accidents make of them. */
import fc from 'fast-check'

const CRLF = '\r\n'
const TOKEN_CHARS = [..."!#$%&'*+-.^_`|~0123456789ABCXYZabcxyz"]
const VALUE_CHARS = [...'\t !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\x80\xa0\xff']

const token = fc.string({ unit: fc.constantFrom(...TOKEN_CHARS), minLength: 1, maxLength: 12 })
const value = fc.string({ unit: fc.constantFrom(...VALUE_CHARS), maxLength: 30 })
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
  return fc.array(fc.nat({ max: whole.length }), { maxLength: maxCuts }).map(places => {
    const cuts = [0, ...places.toSorted((a, b) => a - b), whole.length]
    return cuts
      .slice(1)
      .map((end, at) => whole.subarray(cuts[at], end))
      .filter(piece => piece.length > 0)
  })
}

const INSERTED = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  '\0',
  ':',
  ',',
  '0',
  '9',
  '-',
  'x',
  '\x7f',
  '\xff',
  'content-length: 3\r\n',
  'Content-Length:5\r\n',
  'transfer-encoding: chunked\r\n',
  'Transfer-Encoding: gzip\r\n',
  'connection: close\r\n',
  'connection: keep-alive, x\r\n',
  'proxy-connection: close\r\n',
  // With `connection: upgrade` beside it, node loses what comes in the same packet behind the request.
  'upgrade: websocket\r\n',
  'expect: 100-continue\r\n',
  'host: b\r\n',
  ' folded\r\n',
  'HTTP/1.0',
  'GET / HTTP/1.1\r\n\r\n',
]

/** The same bytes after a few accidents: some lost, doubled, or put where they do not belong. */
export function mutationOf(whole: Buffer): fc.Arbitrary<Buffer> {
  const lineStarts = [...whole.toString('latin1').matchAll(/\r\n/g)].map(({ index }) => index + 2)
  const place = fc.oneof(fc.nat({ max: whole.length }), fc.constantFrom(...lineStarts))
  const mutation = fc.record({
    at: place,
    removed: fc.constantFrom(0, 0, 0, 1, 2, 5),
    inserted: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...INSERTED) }, fc.constant('')),
  })
  return fc.array(mutation, { minLength: 1, maxLength: 2 }).map(mutations => {
    let mutated = whole
    for (const { at, removed, inserted } of mutations) {
      const rest = mutated.subarray(at + removed)
      mutated = Buffer.concat([mutated.subarray(0, at), Buffer.from(inserted, 'latin1'), rest])
    }
    return mutated
  })
}
