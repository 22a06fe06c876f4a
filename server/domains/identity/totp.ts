import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** RFC 4648, section 6: the letters in which authenticator apps take a secret. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** RFC 4226, section 4: 160 bits are recommended. */
const SECRET_BYTES = 20
const STEP_MS = 30_000
const DIGITS = 6
/** How many steps a clock may be behind or ahead (RFC 6238, section 5.2). */
const DRIFT_STEPS = 1

/** A new secret of 160 random bits, in base 32. */
export function newTotpSecret(): string {
  // A byte less than 256 falls on each of the 32 letters equally often.
  return Array.from(randomBytes((SECRET_BYTES * 8) / 5), byte => BASE32.charAt(byte & 31)).join('')
}

/** The code of one time step, as six digits (RFC 6238 with HMAC-SHA-1, which all apps know). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step whose code this is, at most one step from now; null when it is none of them. */
export function findTotpStep(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = Math.floor(nowMs / STEP_MS)
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step++) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step
  }
  return null
}

/** What authenticator apps read from a picture: whose secret it is, and the secret. */
export function otpauthUrl(secret: string, { issuer, email }: { issuer: string; email: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

function decodeBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const letter of text) {
    value = ((value << 5) | BASE32.indexOf(letter)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((value >> bits) & 0xff)
    }
  }
  return Buffer.from(bytes)
}
