import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** The kind of the demonstration upstream, which runs inside the process and has no address on the network. */
export const DEMO_KIND = 'demo'

/** A key as it can stand in a header. */
const CREDENTIAL = /^[\x21-\x7e][\x20-\x7e]*$/

/** A base address without slashes at its end; refused, with the problem, when requests can't be built on it. */
export function readBaseUrl(kind: string, given: string): Outcome<string, string> {
  if (kind === DEMO_KIND) return accepted(given)
  if (!URL.canParse(given)) return refused('base_url: is not a URL')
  const url = new URL(given)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('base_url: must be http or https')
  if (url.username !== '' || url.password !== '') {
    return refused('base_url: must not hold a user or a password; use credential or headers')
  }
  // An empty query or fragment leaves its mark in the text only.
  if (/[?#]/.test(url.href)) return refused('base_url: must not hold a query or a fragment')
  return accepted(url.href.replace(/\/+$/, ''))
}

/** A credential without the blanks that come along when it is pasted. */
export function readCredential(given: string): Outcome<string, string> {
  const credential = given.trim()
  if (!CREDENTIAL.test(credential)) return refused('credential: must be printable ASCII, and not empty')
  return accepted(credential)
}
