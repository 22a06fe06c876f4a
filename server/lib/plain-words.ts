/** Every byte of a word, and the highest bit of each. */
const SPACES = 0x20202020
const QUOTES = 0x22222222
const BACKSLASHES = 0x5c5c5c5c
const ONES = 0x01010101
const HIGH_BITS = 0x80808080 | 0

/**
 * Goes on over bytes of a JSON string that stand for themselves, four at a time: to the end of the last four from
 * `start` on that hold no quote, no backslash and no control character. Taking a number off each byte of a word sets
 * the highest bit of those that were smaller (Hacker's Delight, 6-1); bytes that had it before are no ASCII and plain.
 */
export function afterPlainWords(bytes: Buffer, start: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const last = bytes.length - 4
  let at = start
  while (at <= last) {
    const word = view.getInt32(at, true)
    const less = (word - SPACES) | ((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES)
    if ((less & ~word & HIGH_BITS) !== 0) break
    at += 4
  }
  return at
}
