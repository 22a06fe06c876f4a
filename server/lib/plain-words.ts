import { Buffer } from 'node:buffer'

/** Words are read here: to make a view of the bytes themselves would cost more than the copy. */
const room = Buffer.allocUnsafeSlow(1024)
const words = new Int32Array(room.buffer)

/** Every byte of a word, and the highest bit of each. */
const SPACES = 0x20202020
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c
const ONES = 0x01010101
const HIGH_BITS = 0x80808080 | 0

/**
 * Goes on over bytes of a JSON string that stand for themselves, four at a time: to the end of the last four from
 * `start` on that hold no quote, no backslash and no control character.
 */
export function afterPlainWords(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const copied = bytes.copy(room, 0, at)
    const plain = 4 * countPlain(copied >> 2)
    at += plain
    if (plain < room.length) return at
  }
}

/**
 * How many of the first words are plain. Taking a number off each byte of a word sets the highest bit of those that
 * were smaller (Hacker's Delight, 6-1); bytes that had it before are no ASCII and plain.
 */
function countPlain(count: number): number {
  for (let index = 0; index < count; index++) {
    const word = words[index] ?? 0
    const less = (word - SPACES) | ((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES)
    if ((less & ~word & HIGH_BITS) !== 0) return index
  }
  return count
}
