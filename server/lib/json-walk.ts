/**
 * Walks JSON in its bytes without building it, for those who need a few facts of it on a hot path. It is strict, and says
 * `UNSURE` of whatever it does not understand at once: what it walks over is JSON by RFC 8259, and whoever wants to know
 * what is wrong with the rest asks a parser. There is one walk at a time in a thread, for it waits for nothing.
 */
import { SMALL_BYTES } from './shared-bytes.ts'

/** What stands here is no JSON, or none that is worth understanding in a hurry. */
export const UNSURE = -1

/** Deeper ones are left to a parser. */
const MAX_DEPTH = 64

/**
 * What is walked over is copied here, which costs next to nothing: engines read bytes whose place they know in half the
 * time. Behind the last byte stands a zero, which no rule lets pass, so nothing further back is ever looked at.
 */
const room = new Uint8Array(SMALL_BYTES + 4)
const words = new Int32Array(room.buffer)
const text = Buffer.from(room.buffer)

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

/** 1 for each byte that stands for itself in a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 0 : 1,
)

/** Whether the bytes hold one value, with blanks around it, over all of which `walk` goes. Begins the walk. */
export function isWalked(bytes: Buffer, walk: (start: number) => number = walkValue): boolean {
  // Bigger ones are no matter for a glance: worker threads read them with care.
  if (bytes.length > SMALL_BYTES) return false
  room.set(bytes)
  room[bytes.length] = 0
  const end = walk(afterBlanks(0))
  return end !== UNSURE && afterBlanks(end) === bytes.length
}

/** The byte at a place. */
export function byteAt(at: number): number {
  return room[at] ?? 0
}

/** The first byte from `at` on that is no blank. */
export function afterBlanks(at: number): number {
  let next = at
  for (;;) {
    const byte = room[next]
    if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) return next
    next++
  }
}

/** Whether the bytes from `start` to `end` are these. */
function isText(start: number, end: number, wanted: Buffer): boolean {
  if (end - start !== wanted.length) return false
  for (let at = 0; at < wanted.length; at++) if (room[start + at] !== wanted[at]) return false
  return true
}

const WORDS = { true: Buffer.from('true'), false: Buffer.from('false'), null: Buffer.from('null') } as const

/** Whether a value is this word of JSON. */
export function isWord(start: number, end: number, word: keyof typeof WORDS): boolean {
  return isText(start, end, WORDS[word])
}

/** The text of a string that is not empty, and all of it plain ASCII without escapes; null for any other value. */
export function plainString(start: number, end: number): string | null {
  if (room[start] !== QUOTE || end - start < 3) return null
  for (let at = start + 1; at < end - 1; at++) {
    const byte = room[at] ?? 0
    if (byte === BACKSLASH || byte > 0x7e) return null
  }
  return text.toString('latin1', start + 1, end - 1)
}

/** Where a member's name stands, without its quotes and as it is written, and where its value begins. */
export type WalkedMember = { nameStart: number; nameEnd: number; valueStart: number; depth: number }

/** Walks over the value of a member, and gives the byte after it. */
export type WalkMember = (member: WalkedMember) => number

/** The byte after the object that opens at `start`, whose members are walked over in their order. */
export function walkObject(start: number, walkMember: WalkMember, depth = 0): number {
  if (room[start] !== OPEN_BRACE || depth > MAX_DEPTH) return UNSURE
  let at = afterBlanks(start + 1)
  if (room[at] === CLOSE_BRACE) return at + 1
  for (;;) {
    const nameEnd = room[at] === QUOTE ? walkString(at) : UNSURE
    if (nameEnd === UNSURE) return UNSURE
    const colon = afterBlanks(nameEnd)
    if (room[colon] !== COLON) return UNSURE
    const valueStart = afterBlanks(colon + 1)
    const end = walkMember({ nameStart: at + 1, nameEnd: nameEnd - 1, valueStart, depth: depth + 1 })
    if (end === UNSURE) return UNSURE
    at = afterBlanks(end)
    if (room[at] === CLOSE_BRACE) return at + 1
    if (room[at] !== COMMA) return UNSURE
    at = afterBlanks(at + 1)
  }
}

/** Whether the name of a member is this. */
export function isNamed({ nameStart, nameEnd }: WalkedMember, name: Buffer): boolean {
  return isText(nameStart, nameEnd, name)
}

/** The byte after the list that opens at `start`; each item is walked over by `walkItem`, which gives the byte after it. */
export function walkList(start: number, walkItem: (at: number, depth: number) => number, depth = 0): number {
  if (room[start] !== OPEN_BRACKET || depth > MAX_DEPTH) return UNSURE
  let at = afterBlanks(start + 1)
  if (room[at] === CLOSE_BRACKET) return at + 1
  for (;;) {
    at = walkItem(at, depth + 1)
    if (at === UNSURE) return UNSURE
    at = afterBlanks(at)
    if (room[at] === CLOSE_BRACKET) return at + 1
    if (room[at] !== COMMA) return UNSURE
    at = afterBlanks(at + 1)
  }
}

/** How the lists and objects end that are open within a value, the innermost last. */
const endings = new Uint8Array(MAX_DEPTH + 2)

/** The byte after the value that begins at `start`. */
export function walkValue(start: number, depth = 0): number {
  let at = start
  let level = depth
  for (;;) {
    const byte = room[at]
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (level > MAX_DEPTH) return UNSURE
      // Either closing sign stands two places behind its opening one.
      const ending = byte + 2
      at = afterBlanks(at + 1)
      if (room[at] === ending) at++
      else {
        endings[++level] = ending
        if (ending === CLOSE_BRACE) at = walkName(at)
        if (at === UNSURE) return UNSURE
        continue
      }
    } else {
      at = walkScalar(at)
      if (at === UNSURE) return UNSURE
    }
    // A value is over, and with it perhaps what it stands in.
    for (;;) {
      if (level === depth) return at
      at = afterBlanks(at)
      const ending = endings[level]
      if (room[at] !== ending) {
        if (room[at] !== COMMA) return UNSURE
        at = afterBlanks(at + 1)
        if (ending === CLOSE_BRACE) at = walkName(at)
        if (at === UNSURE) return UNSURE
        break
      }
      at++
      level--
    }
  }
}

/** Where the value of the member begins whose name opens at `start`. */
function walkName(start: number): number {
  const end = room[start] === QUOTE ? walkString(start) : UNSURE
  if (end === UNSURE) return UNSURE
  const colon = afterBlanks(end)
  return room[colon] === COLON ? afterBlanks(colon + 1) : UNSURE
}

function walkScalar(at: number): number {
  switch (room[at]) {
    case QUOTE:
      return walkString(at)
    case LOWER_T:
      return walkWord(at, WORDS.true)
    case LOWER_F:
      return walkWord(at, WORDS.false)
    case LOWER_N:
      return walkWord(at, WORDS.null)
    default:
      return walkNumber(at)
  }
}

function walkWord(at: number, word: Buffer): number {
  return isText(at, at + word.length, word) ? at + word.length : UNSURE
}

/** The byte after the string that opens at `start`. */
function walkString(start: number): number {
  let at = start + 1
  for (;;) {
    at = afterPlain(at)
    const byte = room[at]
    if (byte === QUOTE) return at + 1
    at = byte === BACKSLASH ? walkEscape(at + 1) : UNSURE
    if (at === UNSURE) return UNSURE
  }
}

/** Every byte of a word, and the highest bit of each. */
const SPACES = 0x20202020
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c
const ONES = 0x01010101
const HIGH_BITS = 0x80808080 | 0

/** The first byte from `start` on that does not stand for itself in a string: most of the way is gone four at a time. */
function afterPlain(start: number): number {
  let at = start
  for (; (at & 3) !== 0; at++) if (PLAIN[byteAt(at)] === 0) return at
  at = 4 * afterPlainWords(at >> 2)
  while (PLAIN[byteAt(at)] === 1) at++
  return at
}

/**
 * Taking a number off each byte of a word sets the highest bit of those that were smaller (Hacker's Delight, 6-1); bytes
 * that had it before are no ASCII and plain.
 */
function afterPlainWords(start: number): number {
  for (let index = start; ; index++) {
    const word = words[index] ?? 0
    const less = (word - SPACES) | ((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES)
    if ((less & ~word & HIGH_BITS) !== 0) return index
  }
}

function walkEscape(at: number): number {
  const byte = room[at]
  if (byte !== LOWER_U) return byte !== undefined && ESCAPED.has(byte) ? at + 1 : UNSURE
  for (let digit = 1; digit <= 4; digit++) if (!isHexDigit(room[at + digit])) return UNSURE
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

function walkNumber(start: number): number {
  let at = room[start] === MINUS ? start + 1 : start
  const whole = walkDigits(at)
  // A number of several digits begins with none of 0.
  if (whole === UNSURE || (room[at] === ZERO && whole > at + 1)) return UNSURE
  at = whole
  if (room[at] === POINT) {
    at = walkDigits(at + 1)
    if (at === UNSURE) return UNSURE
  }
  if (room[at] !== LOWER_E && room[at] !== UPPER_E) return at
  const sign = room[at + 1]
  return walkDigits(sign === PLUS || sign === MINUS ? at + 2 : at + 1)
}

function walkDigits(start: number): number {
  let at = start
  while (isDigit(room[at])) at++
  return at > start ? at : UNSURE
}
