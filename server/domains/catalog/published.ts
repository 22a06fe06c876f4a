import type { z } from 'zod'
import type { catalogEntry, creditPackage } from '#contract/catalog.ts'

/** An enabled model as the public catalogue shows it, but for its status, which follows from how it fares. */
export type PublishedModel = {
  readonly entry: Readonly<Omit<z.infer<typeof catalogEntry>, 'status'>>
  readonly deprecated: boolean
  /** Whether there is a route to an enabled provider at all. */
  readonly routed: boolean
}

/** What strangers may see of the catalogue as of one moment: never changed, only replaced. */
export type PublishedCatalog = {
  /** By id, in the order of the ids. */
  readonly models: ReadonlyMap<string, PublishedModel>
  /** Those on sale, the smallest first. */
  readonly packages: readonly Readonly<z.infer<typeof creditPackage>>[]
}
