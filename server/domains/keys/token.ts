import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A token is `gw_`, 32 random bytes, and a CRC-32 of what stands before it, both in base 62 with a fixed number of
 * digits. The checksum lets a mistyped or made-up token be refused without a look at any store; secret scanners can
 * use it too. It proves nothing: only the hash of the whole token, found in the store, does.
 */
const PREFIX = 'gw_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_CHARS = 43
const CHECKSUM_CHARS = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_CHARS + CHECKSUM_CHARS}}$`)

function randomDigits(): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`)
  let text = ''
  for (let i = 0; i < SECRET_CHARS; i++) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}

/** Computed for every protected request, so in plain numbers: 32 bits fit into them. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Makes a new token. It is shown once and only its hash is kept. */
export function issueToken(): string {
  const secret = randomDigits()
  return PREFIX + secret + checksum(PREFIX + secret)
}

/** Whether a text has the shape of a token and its checksum fits. */
export function isWellFormedToken(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS)
}

/** What is stored of a token: SHA-256 in hex. 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Identifies a token without giving it away: `gw_Ab3…x9Q`. */
export function tokenHint(token: string): string {
  return `${token.slice(0, PREFIX.length + 3)}…${token.slice(-3)}`
}
