import { factsOf } from '#contract/provider-kinds.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** The kind of the demonstration upstream, which runs inside the process and has no address on the network. */
export const DEMO_KIND = 'demo'

/** An API's version in a query: a date, with whatever follows it. */
const API_VERSION = /^\?api-version=[A-Za-z0-9.-]+$/

/**
 * A base address without slashes at its end; refused, with the problem, when requests can't be built on it. One that is
 * not given is that of the kind's maker.
 */
export function readBaseUrl(kind: string, given: string | undefined): Outcome<string, string> {
  const facts = factsOf(kind)
  if (given === undefined) {
    if (facts?.baseUrl) return accepted(facts.baseUrl)
    return refused(`base_url: is needed, such as ${facts?.example ?? 'http://127.0.0.1:9000/v1'}`)
  }
  if (kind === DEMO_KIND) return accepted(given)
  if (!URL.canParse(given)) return refused('base_url: is not a URL')
  const url = new URL(given)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused('base_url: must be http or https')
  if (url.username !== '' || url.password !== '') {
    return refused('base_url: must not hold a user or a password; use credential or headers')
  }
  if (facts?.takesApiVersion && API_VERSION.test(url.search) && url.hash === '') {
    return accepted(url.href.replace(/\/+\?/, '?'))
  }
  // An empty query or fragment leaves its mark in the text only.
  if (/[?#]/.test(url.href)) return refused('base_url: must not hold a query or a fragment')
  return accepted(url.href.replace(/\/+$/, ''))
}
