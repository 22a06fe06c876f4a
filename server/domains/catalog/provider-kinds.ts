import { PROVIDER_KINDS } from '#contract/catalog.ts'
import { KIND_FACTS, type KindFacts } from '#contract/provider-kinds.ts'

/** The facts of a kind; null for one that no administrator can set up. */
export function factsOf(kind: string): KindFacts | null {
  const known = PROVIDER_KINDS.find(name => name === kind)
  return known === undefined ? null : KIND_FACTS[known]
}

/**
 * Whose list prices a provider has; null where nobody lists them. An OpenAI-compatible server elsewhere sets prices of
 * its own, whatever its models are called.
 */
export function priceListOf({
  kind,
  base_url,
}: {
  readonly kind: string
  readonly base_url: string
}): string | null {
  const facts = factsOf(kind)
  if (!facts?.priceListId) return null
  return kind === 'openai' && base_url !== facts.baseUrl ? null : facts.priceListId
}
