import { z } from 'zod'
import { displayName } from '#contract/primitives.ts'
import type { Provider } from '#web/api/admin/providers.ts'

/** A further credential as it is written into fields; the number only tells rows apart. */
export type FurtherDraft = {
  readonly row: number
  readonly name: string
  /** Left empty: the one that is stored under the name. */
  readonly credential: string
  /** The name under which one is stored; null for a new one. */
  readonly storedAs: string | null
}

export function toFurtherDrafts(provider: Provider | null): FurtherDraft[] {
  return (provider?.further_credentials ?? []).map(({ name }, row) => ({
    row,
    name,
    credential: '',
    storedAs: name,
  }))
}

export function withFurther(drafts: readonly FurtherDraft[]): FurtherDraft[] {
  const row = Math.max(-1, ...drafts.map(draft => draft.row)) + 1
  return [...drafts, { row, name: '', credential: '', storedAs: null }]
}

/** Further credentials as they stand in the form, and as the route takes them. */
export const furtherCredentials = z
  .array(
    z.object({
      name: displayName.min(1, 'Give it a name.'),
      credential: z.string().trim().max(20_000),
      storedAs: z.string().nullable(),
    }),
  )
  .superRefine((drafts, context) => {
    for (const [index, { name, credential, storedAs }] of drafts.entries()) {
      if (drafts.findIndex(each => each.name === name) !== index) {
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'Another one has this name.' })
      }
      if (credential !== '' || name === storedAs) continue
      const message =
        storedAs === null
          ? 'Give the credential.'
          : `Give it again: what is stored is kept under the name “${storedAs}”.`
      context.addIssue({ code: 'custom', path: [index, 'credential'], message })
    }
  })
  .transform(drafts =>
    drafts.map(({ name, credential }) => (credential === '' ? { name } : { name, credential })),
  )
