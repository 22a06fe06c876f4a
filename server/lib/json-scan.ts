import { Buffer } from 'node:buffer'

/**
 * Finds the members of a JSON object in its bytes without building it, so that one value can be replaced and all else
 * stays as it was sent. The bytes must be valid JSON: parse them first.
 */

/** Where a member stands: from the first byte of its name to the byte after its value. */
export type MemberSpan = { readonly start: number; readonly valueStart: number; readonly valueEnd: number }

export type ScannedObject = {
  readonly members: ReadonlyMap<string, MemberSpan>
  /** Names that stand more than once: parsers disagree on which one counts, so nobody may act on any. */
  readonly duplicates: ReadonlySet<string>
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at++
  return at
}

/** Strings up to this length are read byte by byte: for short ones that is faster than a native search. */
const SHORT_STRING = 64

/** The byte after the string that opens at `from`. */
function skipString(bytes: Buffer, from: number): number {
  let at = from + 1
  const nearEnd = Math.min(bytes.length, from + SHORT_STRING)
  while (at < nearEnd) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    at += byte === BACKSLASH ? 2 : 1
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1) throw new SyntaxError('Unterminated string')
    let backslashes = 0
    while (quote - backslashes > at && bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

/** The byte after the value that starts at `from`. */
function skipValue(bytes: Buffer, from: number): number {
  const first = bytes[from]
  if (first === QUOTE) return skipString(bytes, from)
  let at = from
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    while (at < bytes.length && !endsScalar(bytes[at] ?? 0)) at++
    return at
  }
  let depth = 0
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = skipString(bytes, at)
      continue
    }
    at++
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at
  }
  throw new SyntaxError('Unterminated value')
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= SPACE
}

/**
 * Goes through the members of the object that the bytes hold, until `visit` says that it has seen enough. Throws
 * SyntaxError when they hold something else.
 */
function visitMembers(bytes: Buffer, visit: (name: string, span: MemberSpan) => 'go on' | 'enough'): void {
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== OPEN_BRACE) throw new SyntaxError('Not an object')
  at = skipSpace(bytes, at + 1)
  while (bytes[at] === QUOTE) {
    const start = at
    const nameEnd = skipString(bytes, at)
    const rawName = bytes.toString('utf8', start, nameEnd)
    // A name may be written with escapes; what it means is what every parser on the way will see.
    const name: string = rawName.includes('\\') ? JSON.parse(rawName) : rawName.slice(1, -1)
    at = skipSpace(bytes, nameEnd)
    if (bytes[at] !== COLON) throw new SyntaxError('Missing colon')
    const valueStart = skipSpace(bytes, at + 1)
    const valueEnd = skipValue(bytes, valueStart)
    if (visit(name, { start, valueStart, valueEnd }) === 'enough') return
    at = skipSpace(bytes, valueEnd)
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
  }
}

/** All members of the object that the bytes hold. */
export function scanObject(bytes: Buffer): ScannedObject {
  const members = new Map<string, MemberSpan>()
  const duplicates = new Set<string>()
  visitMembers(bytes, (name, span) => {
    if (members.has(name)) duplicates.add(name)
    members.set(name, span)
    return 'go on'
  })
  return { members, duplicates }
}

/** The first member of that name; undefined when there is none. What follows it is not looked at. */
export function findMember(bytes: Buffer, wanted: string): MemberSpan | undefined {
  let found: MemberSpan | undefined
  visitMembers(bytes, (name, span) => {
    if (name !== wanted) return 'go on'
    found = span
    return 'enough'
  })
  return found
}

/** A replacement of the bytes from `start` to `end`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** Edits in the order of their places. */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.length < 2 ? edits : edits.toSorted((a, b) => a.start - b.start)
}

/** The pieces that the bytes and their edits come to, none of them copied; edits must not overlap. */
export function splicePieces(bytes: Buffer, edits: readonly Edit[]): Buffer[] {
  if (edits.length === 0) return [bytes]
  const pieces: Buffer[] = []
  let at = 0
  for (const edit of inOrder(edits)) {
    pieces.push(bytes.subarray(at, edit.start), Buffer.from(edit.text))
    at = edit.end
  }
  pieces.push(bytes.subarray(at))
  return pieces
}

/** Applies edits that do not overlap; the rest of the bytes stays as it is. */
export function spliceBytes(bytes: Buffer, edits: readonly Edit[]): Buffer {
  return edits.length === 0 ? bytes : Buffer.concat(splicePieces(bytes, edits))
}

/** The edit that takes a member out of its object, with the comma that belongs to it. */
export function removeMember(bytes: Buffer, member: MemberSpan): Edit {
  const after = skipSpace(bytes, member.valueEnd)
  if (bytes[after] === COMMA) return { start: member.start, end: skipSpace(bytes, after + 1), text: '' }
  let before = member.start - 1
  while (before > 0 && (bytes[before] ?? 0) <= SPACE) before--
  const start = bytes[before] === COMMA ? before : member.start
  return { start, end: member.valueEnd, text: '' }
}
