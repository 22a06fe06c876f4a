import { FIELD_VALUE } from '#lib/http-field.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Headers } from './provider-secrets.ts'

/** Shown in place of a value that may be a secret; sent back, it stands for the value that is there. */
export const MASK = '•••'

const SECRET_NAME = /auth|bearer|key|token|jwt|secret|cookie|credential|pass|pwd|session|signature/

/** A scheme of HTTP with what it takes (RFC 9110, section 11.4). */
const AUTHORIZATION = /^(basic|bearer|digest|token)\s/i

/** So many letters and digits in a row are no word, version or date: keys, and the parts of a JWT, are. */
const RANDOM_TEXT = /(?=[A-Za-z+_=]*[0-9])(?=[0-9+_=]*[A-Za-z])[A-Za-z0-9+_=]{20}/

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || AUTHORIZATION.test(value) || RANDOM_TEXT.test(value)
}

/** Headers that belong to the exchange itself: ours to write, and wrong in any other hand. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers as replies show them: values that by their names or themselves may be secrets are masked. */
export function maskHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name, value) ? MASK : value]),
  )
}

/**
 * Headers as they will be kept, names in lower case. A masked value keeps the one that `current` has under the name.
 * Refused, with the problem, are names that belong to the exchange, names given twice, and values no header can carry.
 */
export function readHeaders(given: Headers, current: Headers): Outcome<Headers, string> {
  const headers = new Map<string, string>()
  for (const [givenName, givenValue] of Object.entries(given)) {
    const name = givenName.toLowerCase()
    if (RESERVED.has(name)) return refused(`headers.${givenName}: this header is set by the gateway itself`)
    if (headers.has(name)) return refused(`headers.${givenName}: is given twice`)
    const kept = Object.hasOwn(current, name) ? current[name] : undefined
    const value = givenValue === MASK ? kept : givenValue.trim()
    if (value === undefined) return refused(`headers.${givenName}: there is no value to keep`)
    if (!FIELD_VALUE.test(value)) return refused(`headers.${givenName}: holds characters no header can carry`)
    headers.set(name, value)
  }
  return accepted(Object.fromEntries(headers))
}

/** The names of headers whose values a record does not show, and that say another one than before. */
export function replacedSecrets(given: Headers): string[] {
  return Object.entries(given)
    .filter(([name, value]) => value !== MASK && isSecret(name.toLowerCase(), value.trim()))
    .map(([name]) => name.toLowerCase())
}
