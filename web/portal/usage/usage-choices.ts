import type { Key } from '#web/api/client/keys.ts'
import type { CatalogEntry } from '#web/api/discovery.ts'
import type { Choice } from '#web/ui/select-field.tsx'

/** The models to choose from; the chosen one is among them even if it is had no more. */
export function modelChoices(models: readonly CatalogEntry[], chosen: string | undefined): Choice[] {
  const ids = new Set([...models.map(({ id }) => id), ...(chosen === undefined ? [] : [chosen])])
  return [...ids].sort().map(id => ({ value: id, label: id }))
}

/** The keys to choose from, revoked ones too: what they used stays on the books. */
export function keyChoices(keys: readonly Key[], chosen: string | undefined): Choice[] {
  const known = keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }))
  const isKnown = chosen === undefined || keys.some(({ id }) => id === chosen)
  return isKnown ? known : [...known, { value: chosen, label: chosen }]
}
