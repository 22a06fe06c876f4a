import { CR, FIELD_VALUE, LF, TOKEN } from '#lib/http-field.ts'
import { Fields, fieldName } from './fields.ts'

/** The head of a request that is surely in order. */
export type GlancedHead = {
  readonly url: string
  readonly fields: Fields
  /** Where the body begins, and how long it is. */
  readonly bodyStart: number
  readonly bodyBytes: number
}

/** Node allows 16 KiB; who needs as much may go there. */
const MAX_HEAD_BYTES = 8 * 1024
const MAX_FIELDS = 100
const MAX_LENGTH_DIGITS = 9

/** What a byte may be a part of; other bytes are no part of anything. */
const NAME = 1
const VALUE = 2
const PATH = 4
const PARTS = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const text = String.fromCharCode(byte)
  if (TOKEN.test(text)) PARTS[byte] = NAME
  if (FIELD_VALUE.test(text)) PARTS[byte] = (PARTS[byte] ?? 0) | VALUE
  // Without a query, and without anything that is encoded.
  if (/[A-Za-z0-9/_-]/.test(text)) PARTS[byte] = (PARTS[byte] ?? 0) | PATH
}

const BEFORE_PATH = Buffer.from('POST ')
const AFTER_PATH = Buffer.from(' HTTP/1.1\r\n')
const SLASH = 0x2f
const COLON = 0x3a

/** Fields that frame a message or speak of its connection, beside the ones that are read here. */
const LEFT_TO_NODE: ReadonlySet<number> = new Set(
  ['expect', 'http2-settings', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'].map(
    name => fieldName(name).hash,
  ),
)

const HOST = fieldName('host')
const CONNECTION = fieldName('connection')
const CONTENT_LENGTH = fieldName('content-length')

/**
 * Reads the head of an ordinary POST request with a body of known length, at the beginning of what has arrived. Gives null
 * for all that is not whole, not surely valid, or that two readers could understand differently: node's server decides
 * over that. Every name stands at most once, so no rule about joining them is needed.
 */
export function glanceAtHead(bytes: Buffer): GlancedHead | null {
  const pathEnd = skipPath(bytes)
  if (pathEnd === -1) return null
  const fields = new Fields(bytes)
  const end = markFields(bytes, pathEnd + AFTER_PATH.length, fields)
  if (end === -1) return null
  const bodyBytes = fields.findNumber(CONTENT_LENGTH, MAX_LENGTH_DIGITS)
  if (bodyBytes === -1 || !fields.has(HOST) || !isKept(fields)) return null
  const url = bytes.toString('latin1', BEFORE_PATH.length, pathEnd)
  return { url, fields, bodyStart: end, bodyBytes }
}

/** Where the path of a POST request ends; -1 where it is none, or no path for us. */
function skipPath(bytes: Buffer): number {
  if (!hasAt(bytes, 0, BEFORE_PATH) || bytes[BEFORE_PATH.length] !== SLASH) return -1
  const end = skip(bytes, BEFORE_PATH.length, PATH)
  return hasAt(bytes, end, AFTER_PATH) ? end : -1
}

/** Marks the fields from here to the blank line; gives where that ends, or -1 where a line is not in order. */
function markFields(bytes: Buffer, from: number, fields: Fields): number {
  let at = from
  for (let count = 0; count <= MAX_FIELDS && at < MAX_HEAD_BYTES; count++) {
    if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : -1
    const nameEnd = skip(bytes, at, NAME)
    if (nameEnd === at || bytes[nameEnd] !== COLON) return -1
    const valueEnd = skip(bytes, nameEnd + 1, VALUE)
    if (bytes[valueEnd] !== CR || bytes[valueEnd + 1] !== LF) return -1
    const hash = fields.mark(at, nameEnd, valueEnd)
    // Another name of the same number goes to node as well: that does no harm.
    if (hash === null || LEFT_TO_NODE.has(hash)) return -1
    at = valueEnd + 2
  }
  return -1
}

/** The place of the first byte that is no such part. */
function skip(bytes: Buffer, from: number, part: number): number {
  let at = from
  while (at < bytes.length && ((PARTS[bytes[at] ?? 0] ?? 0) & part) !== 0) at++
  return at
}

function hasAt(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let next = 0; next < expected.length; next++) if (bytes[at + next] !== expected[next]) return false
  return true
}

/** Whether nothing is said of the connection but that it is to be kept. */
function isKept(fields: Fields): boolean {
  return !fields.has(CONNECTION) || fields.find(CONNECTION)?.toLowerCase() === 'keep-alive'
}
