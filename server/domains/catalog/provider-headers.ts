import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Headers } from './provider-secrets.ts'

/** Shown in place of a value that may be a secret; sent back, it stands for the value that is there. */
export const MASK = '•••'

const SECRET_NAME = /auth|key|token|secret|cookie|credential|password|session|signature/

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

/** RFC 9110, section 5.5: visible characters, spaces and tabs; none that could end the header. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers as replies show them: values whose names smell of a secret are masked. */
export function maskHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_NAME.test(name) ? MASK : value]),
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
