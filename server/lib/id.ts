import { randomFillSync } from 'node:crypto'

/** Crockford's base 32: no letter that reads as a digit, and it sorts as its value does. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARS = 10
const RANDOM_PAIRS = 8

/** Every pair of letters: one has ten bits. */
const PAIRS = Array.from(ALPHABET, first => Array.from(ALPHABET, second => first + second)).flat()
const PAIR_BITS = PAIRS.length - 1

const pool = new Uint16Array(RANDOM_PAIRS * 512)
let poolOffset = pool.length

function randomChars(): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  let text = ''
  for (const end = poolOffset + RANDOM_PAIRS; poolOffset < end; poolOffset++) {
    text += PAIRS[(pool[poolOffset] ?? 0) & PAIR_BITS]
  }
  return text
}

let lastMs = -1
let lastTimeText = ''

function timeChars(epochMs: number): string {
  if (epochMs === lastMs) return lastTimeText
  let rest = epochMs
  let text = ''
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  lastMs = epochMs
  lastTimeText = text
  return text
}

export type IdPrefix =
  | 'req'
  | 'led'
  | 'key'
  | 'usr'
  | 'acc'
  | 'adm'
  | 'ses'
  | 'prv'
  | 'rte'
  | 'pkg'
  | 'ord'
  | 'pro'
  | 'aud'
  | 'mai'
  | 'idn'
  | 'nod'

/**
 * A new identifier such as `req_01jc…`: prefix, creation time and 80 random bits. Identifiers of one prefix sort by
 * the millisecond they were made in, which keeps index inserts at the end of the tree and makes them page cursors.
 */
export function newId(prefix: IdPrefix, epochMs: number = Date.now()): string {
  return `${prefix}_${timeChars(epochMs)}${randomChars()}`
}

/** The smallest identifier of that prefix and millisecond: where the records of a moment begin. */
export function firstIdAt(prefix: IdPrefix, epochMs: number): string {
  return `${prefix}_${timeChars(epochMs)}`
}

const ID_TIME = /^[a-z]+_([0-9a-hjkmnp-tv-z]{10})/

/** When an identifier was made, in milliseconds since the epoch; null when it is none of ours. */
export function findTimeOfId(id: string): number | null {
  const text = ID_TIME.exec(id)?.[1]
  if (text === undefined) return null
  let time = 0
  for (const letter of text) time = time * 32 + ALPHABET.indexOf(letter)
  return time
}
