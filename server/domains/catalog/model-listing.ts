import type { EndpointName } from '#contract/usage.ts'
import type { ProviderQuestion } from './ask-provider.ts'
import type { CatalogProvider } from './snapshot.ts'

/** A model as its provider tells of it; what it does not tell is left out or null. */
export type ToldModel = {
  readonly upstreamModel: string
  readonly name?: string | null
  readonly description?: string | null
  readonly contextWindow?: number | null
  readonly maxOutputTokens?: number | null
  readonly modalities?: { readonly input: string[]; readonly output: string[] } | null
  /** What can be asked of it: as told, or else as its name lets guess. */
  readonly endpoints: readonly EndpointName[]
}

/** A name that no model bears: a call of it costs nothing. */
export const MISSING_MODEL = 'no-such-model-connection-test'

/** How a kind of provider is asked which models it has. */
export type ModelListing = {
  /** One question, or several whose answers are read one after the other. Throws where it can not even be asked. */
  questions(provider: CatalogProvider): Promise<readonly ProviderQuestion[]>
  /** The models in an answer; null when it is no list of models. */
  read(answer: unknown): readonly ToldModel[] | null
  /** For kinds whose list is not where their models are called: a call of `MISSING_MODEL`, to test the connection. */
  readonly missingModel?: (provider: CatalogProvider) => Promise<ProviderQuestion>
  /** For administrators: what has to be known about the names that are listed. */
  readonly note?: string
}

/** A kind that runs within the process: its models are known without asking. */
export type KnownModels = { readonly known: readonly ToldModel[] }

export type ListingOf = (kind: string) => ModelListing | KnownModels
