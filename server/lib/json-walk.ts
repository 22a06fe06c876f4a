/**
 * Walks JSON in its bytes without building it, for those who need a few facts of it on a hot path. It is strict, and says
 * `UNSURE` of whatever it does not understand at once: what it walks over is JSON by RFC 8259, and whoever wants to know
 * what is wrong with the rest asks a parser.
 */

import { afterPlainWords } from './plain-words.ts'

/** What stands here is no JSON, or none that is worth understanding in a hurry. */
export const UNSURE = -1

/** What goes on for longer than this is worth the start of going over it faster. */
const SHORT_RUN = 64
/** Deeper ones are left to a parser. */
const MAX_DEPTH = 64

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const UPPER_E = 0x45
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** What may follow a backslash, beside `u` and four digits. */
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'))

/** The first byte from `at` on that is no blank. */
export function afterBlanks(bytes: Buffer, at: number): number {
  const { length } = bytes
  let next = at
  // No byte behind the last is asked for, here and below: engines read what they know to be there much faster.
  while (next < length) {
    const byte = bytes[next]
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break
    next++
  }
  return next
}

/** Whether the bytes from `start` to `end` are these. */
function isText(bytes: Buffer, start: number, end: number, text: Buffer): boolean {
  if (end - start !== text.length) return false
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text[at]) return false
  return true
}

const WORDS = { true: Buffer.from('true'), false: Buffer.from('false'), null: Buffer.from('null') } as const

/** Whether a value is this word of JSON. */
export function isWord(bytes: Buffer, start: number, end: number, word: keyof typeof WORDS): boolean {
  return isText(bytes, start, end, WORDS[word])
}

/** The text of a string that is not empty, and all of it plain ASCII without escapes; null for any other value. */
export function plainString(bytes: Buffer, start: number, end: number): string | null {
  if (bytes[start] !== QUOTE || end - start < 3) return null
  for (let at = start + 1; at < end - 1; at++) {
    const byte = bytes[at] ?? 0
    if (byte === BACKSLASH || byte > 0x7e) return null
  }
  return bytes.toString('latin1', start + 1, end - 1)
}

/** Where a member's name stands, without its quotes and as it is written, and where its value begins. */
export type WalkedMember = { nameStart: number; nameEnd: number; valueStart: number; depth: number }

/** Walks over the value of a member, and gives the byte after it. */
export type WalkMember = (bytes: Buffer, member: WalkedMember) => number

/** The byte after the object that opens at `start`, whose members are walked over in their order. */
export function walkObject(bytes: Buffer, start: number, walkMember: WalkMember, depth = 0): number {
  if (bytes[start] !== OPEN_BRACE || depth > MAX_DEPTH) return UNSURE
  let at = afterBlanks(bytes, start + 1)
  if (bytes[at] === CLOSE_BRACE) return at + 1
  for (;;) {
    const nameEnd = bytes[at] === QUOTE ? walkString(bytes, at) : UNSURE
    if (nameEnd === UNSURE) return UNSURE
    const colon = afterBlanks(bytes, nameEnd)
    if (bytes[colon] !== COLON) return UNSURE
    const valueStart = afterBlanks(bytes, colon + 1)
    const end = walkMember(bytes, { nameStart: at + 1, nameEnd: nameEnd - 1, valueStart, depth: depth + 1 })
    if (end === UNSURE) return UNSURE
    at = afterBlanks(bytes, end)
    if (bytes[at] === CLOSE_BRACE) return at + 1
    if (bytes[at] !== COMMA) return UNSURE
    at = afterBlanks(bytes, at + 1)
  }
}

/** Whether the name of a member is this. */
export function isNamed(bytes: Buffer, { nameStart, nameEnd }: WalkedMember, name: Buffer): boolean {
  return isText(bytes, nameStart, nameEnd, name)
}

/** The byte after the list that opens at `start`; each item is walked over by `walkItem`, which gives the byte after it. */
export function walkList(
  bytes: Buffer,
  start: number,
  walkItem: (bytes: Buffer, at: number, depth: number) => number,
  depth = 0,
): number {
  if (bytes[start] !== OPEN_BRACKET || depth > MAX_DEPTH) return UNSURE
  let at = afterBlanks(bytes, start + 1)
  if (bytes[at] === CLOSE_BRACKET) return at + 1
  for (;;) {
    at = walkItem(bytes, at, depth + 1)
    if (at === UNSURE) return UNSURE
    at = afterBlanks(bytes, at)
    if (bytes[at] === CLOSE_BRACKET) return at + 1
    if (bytes[at] !== COMMA) return UNSURE
    at = afterBlanks(bytes, at + 1)
  }
}

/** How the lists and objects end that are open within a value, the innermost last. */
const endings = new Uint8Array(MAX_DEPTH + 2)

/** The byte after the value that begins at `start`. */
export function walkValue(bytes: Buffer, start: number, depth = 0): number {
  let at = start
  let level = depth
  for (;;) {
    const byte = bytes[at]
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (level > MAX_DEPTH) return UNSURE
      // Either closing sign stands two places behind its opening one.
      const ending = byte + 2
      at = afterBlanks(bytes, at + 1)
      if (bytes[at] === ending) at++
      else {
        endings[++level] = ending
        if (ending === CLOSE_BRACE) at = walkName(bytes, at)
        if (at === UNSURE) return UNSURE
        continue
      }
    } else {
      at = walkScalar(bytes, at)
      if (at === UNSURE) return UNSURE
    }
    // A value is over, and with it perhaps what it stands in.
    for (;;) {
      if (level === depth) return at
      at = afterBlanks(bytes, at)
      const ending = endings[level]
      if (bytes[at] !== ending) {
        if (bytes[at] !== COMMA) return UNSURE
        at = afterBlanks(bytes, at + 1)
        if (ending === CLOSE_BRACE) at = walkName(bytes, at)
        if (at === UNSURE) return UNSURE
        break
      }
      at++
      level--
    }
  }
}

/** Where the value of the member begins whose name opens at `start`. */
function walkName(bytes: Buffer, start: number): number {
  const end = bytes[start] === QUOTE ? walkString(bytes, start) : UNSURE
  if (end === UNSURE) return UNSURE
  const colon = afterBlanks(bytes, end)
  return bytes[colon] === COLON ? afterBlanks(bytes, colon + 1) : UNSURE
}

function walkScalar(bytes: Buffer, at: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return walkString(bytes, at)
    case LOWER_T:
      return walkWord(bytes, at, WORDS.true)
    case LOWER_F:
      return walkWord(bytes, at, WORDS.false)
    case LOWER_N:
      return walkWord(bytes, at, WORDS.null)
    default:
      return walkNumber(bytes, at)
  }
}

function walkWord(bytes: Buffer, at: number, word: Buffer): number {
  return isText(bytes, at, at + word.length, word) ? at + word.length : UNSURE
}

/** The byte after the string that opens at `start`. */
function walkString(bytes: Buffer, start: number): number {
  const { length } = bytes
  let at = start + 1
  let runStart = at
  while (at < length) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at + 1
    if (byte < SPACE) return UNSURE
    if (byte === BACKSLASH) {
      at = walkEscape(bytes, at + 1)
      if (at === UNSURE) return UNSURE
      runStart = at
    } else if (++at - runStart === SHORT_RUN) {
      at = afterPlainWords(bytes, at)
    }
  }
  return UNSURE
}

function walkEscape(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte !== LOWER_U) return byte !== undefined && ESCAPED.has(byte) ? at + 1 : UNSURE
  for (let digit = 1; digit <= 4; digit++) if (!isHexDigit(bytes[at + digit])) return UNSURE
  return at + 5
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false
  // With this bit an upper-case letter is its lower-case one, and a digit stays itself.
  const folded = byte | 0x20
  return isDigit(byte) || (folded >= 0x61 && folded <= LOWER_F)
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

function walkNumber(bytes: Buffer, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start
  const whole = walkDigits(bytes, at)
  // A number of several digits begins with none of 0.
  if (whole === UNSURE || (bytes[at] === ZERO && whole > at + 1)) return UNSURE
  at = whole
  if (bytes[at] === POINT) {
    at = walkDigits(bytes, at + 1)
    if (at === UNSURE) return UNSURE
  }
  if (bytes[at] !== LOWER_E && bytes[at] !== UPPER_E) return at
  const sign = bytes[at + 1]
  return walkDigits(bytes, sign === PLUS || sign === MINUS ? at + 2 : at + 1)
}

function walkDigits(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at++
  return at > start ? at : UNSURE
}
