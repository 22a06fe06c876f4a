import { FIELD_VALUE, TOKEN, VALUE_CHARS } from '#lib/http-field.ts'
import { InvalidAnswer } from './invalid-answer.ts'

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** How the end of a body is found (RFC 9112, section 6.3). */
export type Framing =
  | { readonly kind: 'empty' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

export type AnswerHead = {
  readonly status: number
  /** Names in lower case; a name that stands more than once has a list of its values. */
  readonly headers: AnswerHeaders
  readonly framing: Framing
  /** How long the server keeps the connection for a next request: Infinity when it did not say, 0 when it closes it. */
  readonly keepAliveMs: number
}

const STATUS_LINE = new RegExp(`^HTTP/1\\.([01]) ([1-5][0-9]{2})(?: [${VALUE_CHARS}]*)?$`)
const FRAMING_FIELDS = new Set(['content-length', 'transfer-encoding'])
const DIGITS = /^[0-9]{1,15}$/
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i
const KEEP_ALIVE_SECONDS = /(?:^|[,;])[\t ]*timeout=([0-9]{1,6})[\t ]*(?:[,;]|$)/i

const EMPTY: Framing = { kind: 'empty' }
const CHUNKED: Framing = { kind: 'chunked' }
const UNTIL_CLOSE: Framing = { kind: 'until-close' }

/**
 * Reads a status line and the fields after it, up to and without the blank line. Throws InvalidAnswer for whatever
 * readers are known to understand differently: folded lines, spaces before a colon, bare line feeds, two lengths, a
 * length beside a transfer coding, codings that were not asked for.
 */
export function readAnswerHead(text: string): AnswerHead {
  const lineEnd = text.indexOf('\r\n')
  const statusLine = STATUS_LINE.exec(lineEnd === -1 ? text : text.slice(0, lineEnd))
  if (!statusLine) throw new InvalidAnswer('not an HTTP/1.1 status line')
  const status = Number(statusLine[2])
  const headers = lineEnd === -1 ? emptyHeaders() : readFields(text, lineEnd + 2)
  const isOld = statusLine[1] === '0'
  return {
    status,
    headers,
    framing: framingOf(status, headers, isOld),
    // The persistent connections of HTTP/1.0 were an afterthought that was never specified well.
    keepAliveMs: isOld ? 0 : keepAliveOf(headers),
  }
}

/** Without a prototype: a field may be called `constructor`, or `__proto__`. */
function emptyHeaders(): Record<string, string | string[] | undefined> {
  return Object.create(null)
}

/** Reads field lines, from the given place to the end of the text. */
export function readFields(text: string, from: number): AnswerHeaders {
  const headers = emptyHeaders()
  let at = from
  while (at < text.length) {
    const lineEnd = text.indexOf('\r\n', at)
    const end = lineEnd === -1 ? text.length : lineEnd
    const colon = text.indexOf(':', at)
    if (colon === -1 || colon >= end) throw new InvalidAnswer('a field without a colon')
    const name = text.slice(at, colon)
    const value = text.slice(colon + 1, end)
    if (!TOKEN.test(name)) throw new InvalidAnswer('a field name that is none')
    if (!FIELD_VALUE.test(value)) throw new InvalidAnswer('a field value with characters that none may have')
    const lowerName = name.toLowerCase()
    // Some readers take blanks behind a length for a part of it.
    if (FRAMING_FIELDS.has(lowerName) && isBlank(value, value.length - 1)) {
      throw new InvalidAnswer('blanks behind a length or a coding')
    }
    addField(headers, lowerName, trimBlanks(value))
    at = end + 2
  }
  return headers
}

function addField(headers: Record<string, string | string[] | undefined>, name: string, value: string): void {
  const known = headers[name]
  if (known === undefined) headers[name] = value
  else if (typeof known === 'string') headers[name] = [known, value]
  else known.push(value)
}

const SPACE = 0x20
const TAB = 0x09

/** The value without the blanks around it: spaces and tabs, and nothing else that `trim` would take off. */
function trimBlanks(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isBlank(value, start)) start++
  while (end > start && isBlank(value, end - 1)) end--
  return value.slice(start, end)
}

function isBlank(value: string, at: number): boolean {
  const code = value.charCodeAt(at)
  return code === SPACE || code === TAB
}

function framingOf(status: number, headers: AnswerHeaders, isOld: boolean): Framing {
  const coding = headers['transfer-encoding']
  const length = headers['content-length']
  if (coding !== undefined) {
    if (length !== undefined) throw new InvalidAnswer('a length beside a transfer coding')
    if (isOld) throw new InvalidAnswer('a transfer coding in HTTP/1.0')
    if (typeof coding !== 'string' || coding.toLowerCase() !== 'chunked') {
      throw new InvalidAnswer('a transfer coding other than chunked')
    }
  } else if (length !== undefined && (typeof length !== 'string' || !DIGITS.test(length))) {
    throw new InvalidAnswer('a length that is none, or more than one')
  }
  if (status < 200 || status === 204 || status === 304) return EMPTY
  if (coding !== undefined) return CHUNKED
  if (length === undefined) return UNTIL_CLOSE
  return length === '0' ? EMPTY : { kind: 'length', bytes: Number(length) }
}

function keepAliveOf(headers: AnswerHeaders): number {
  const { connection } = headers
  if (connection !== undefined && CLOSE.test(String(connection))) return 0
  const hint = headers['keep-alive']
  const seconds = hint === undefined ? null : KEEP_ALIVE_SECONDS.exec(String(hint))
  return seconds ? Number(seconds[1]) * 1000 : Number.POSITIVE_INFINITY
}
