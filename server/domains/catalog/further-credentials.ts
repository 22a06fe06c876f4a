import type { z } from 'zod'
import type { createProvider } from '#contract/catalog.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { readCredential } from './provider-credential.ts'

/** A credential that is used in turns with the provider's first one. */
export type FurtherCredential = { readonly name: string; readonly credential: string }

type Given = NonNullable<z.infer<typeof createProvider>['further_credentials']>

/**
 * Further credentials as they will be kept. One without a credential keeps the one that `current` has under its name.
 * Refused with the problem, which names the field and never repeats a value.
 */
export function readFurtherCredentials(
  kind: string,
  given: Given,
  current: readonly FurtherCredential[],
): Outcome<readonly FurtherCredential[], string> {
  const read = new Map<string, FurtherCredential>()
  for (const [index, { name, credential }] of given.entries()) {
    const place = `further_credentials.${index}`
    if (read.has(name)) return refused(`${place}.name: stands twice`)
    const kept = current.find(each => each.name === name)
    if (credential === undefined) {
      if (!kept) return refused(`${place}.credential: there is none to keep under this name`)
      read.set(name, kept)
      continue
    }
    const checked = readCredential(kind, credential)
    if (!checked.ok) return refused(`${place}.${checked.refusal}`)
    read.set(name, { name, credential: checked.value })
  }
  return accepted([...read.values()])
}
