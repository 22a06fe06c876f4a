import type { EmbeddingModelV4, EmbeddingModelV4Result, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { StatusMeant } from '#gateway/providers/upstream-error.ts'
import type { Connection } from '#gateway/translation/engine.ts'

/** What a caller says of the embeddings that it wants, beside the texts. */
export type EmbeddingSettings = {
  readonly dimensions: number | null
  /** What the texts are to the caller, for models that tell questions from documents. */
  readonly inputType: 'search_document' | 'search_query' | 'classification' | 'clustering' | null
}

/** A protocol of upstreams that make embeddings: an AI SDK package with all that has to be known beside it. */
export type EmbeddingEngine = {
  /** The model for one exchange. The package behind it is loaded with the first call. */
  embeddingModel(connection: Connection): Promise<EmbeddingModelV4>
  /** The settings as the package takes them. `model` is the upstream's name for it. */
  toOptions(settings: EmbeddingSettings, model: string): SharedV4ProviderOptions
  /** Whether the upstream has use for the caller's word on what its texts are. */
  readonly takesInputType: boolean
  /** The upstream's own count of tokens; null when it reports none. */
  tokensOf(result: EmbeddingModelV4Result): number | null
  readonly statusMeant?: StatusMeant
}

/** The count that a package hands on, where it is one. */
export function reportedTokens({ usage }: EmbeddingModelV4Result): number | null {
  const tokens = usage?.tokens
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null
}
