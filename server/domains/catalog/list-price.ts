import type { calcPrice, ModelPrice } from '@pydantic/genai-prices'
import { factsOf } from '#contract/provider-kinds.ts'
import type { EndpointName, ModelWeights, TierWeights } from '#contract/usage.ts'

/** What the public price list knows of a model. */
export type ListedModel = {
  /** One credit is one US dollar. null when a price is missing: the model is then not to be enabled. */
  readonly weights: ModelWeights | null
  /** What the price list calls the provider. */
  readonly provider: string
  readonly name: string | null
  readonly contextWindow: number | null
}

export type PriceQuestion = {
  /** What the price list calls the provider; null: whichever it knows the model of. */
  readonly provider: string | null
  readonly model: string
  readonly endpoint: EndpointName
}

/** Looks a model up on the price list. */
export type FindListPrice = (question: PriceQuestion) => ListedModel | null

/** Places of list prices, and of the value of a credit that they are held against. */
export const PRICE_DECIMALS = 12

const HOURS_OF_DAY = 24
const HOUR_MS = 3_600_000

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

/** Loads the price list, which is large and needed by administrators alone. `nowMs`: whose prices are wanted. */
export async function loadListPrices(nowMs: number): Promise<FindListPrice> {
  const list = await import('@pydantic/genai-prices')
  return question => findListPrice(list.calcPrice, question, nowMs)
}

function findListPrice(
  calculate: typeof calcPrice,
  { provider, model, endpoint }: PriceQuestion,
  nowMs: number,
): ListedModel | null {
  let found: ListedModel | null = null
  // Some providers charge by the hour of the day, and a weight is one for all hours: the dearest is the safe one.
  for (let hour = 0; hour < HOURS_OF_DAY; hour++) {
    const timestamp = new Date(nowMs + hour * HOUR_MS)
    const answer = calculate({ input_tokens: 0 }, model, {
      timestamp,
      ...(provider === null ? {} : { providerId: provider }),
    })
    if (answer === null) return null
    const listed = {
      provider: answer.provider.id,
      weights: toWeights(answer.model_price, endpoint),
      name: answer.model.name ?? null,
      contextWindow: answer.model.context_window ?? null,
    }
    if (found === null || (listed.weights?.input ?? 0) > (found.weights?.input ?? 0)) found = listed
    if (!Array.isArray(answer.model.prices)) return found
  }
  return found
}

/** What is read from a cache or written into one costs as much as input where the list has no price of its own. */
function toWeights(price: ModelPrice, endpoint: EndpointName): ModelWeights | null {
  const base = toTierWeights(price, endpoint, 0)
  if (base === null) return null
  const bounds = new Set(Object.values(price).flatMap(boundsOf))
  const tiers = [...bounds].flatMap(bound => {
    // A price of a tier holds for prompts of more tokens than its start, and for all of such a request.
    const weights = toTierWeights(price, endpoint, bound + 1)
    return weights === null ? [] : [{ above_input_tokens: bound, weights }]
  })
  return tiers.length === 0 ? base : { ...base, tiers }
}

/** The prices of a request whose prompt has so many tokens. */
function toTierWeights(price: ModelPrice, endpoint: EndpointName, promptTokens: number): TierWeights | null {
  const at = (name: string) => perMillion(price[name], promptTokens)
  const input = at('input_mtok')
  // An embedding has no output, so the list has no price for it.
  const output = at('output_mtok') ?? (endpoint === 'embeddings' ? 0 : null)
  if (input === null || output === null) return null
  const long = at('cache_write_1h_mtok')
  return {
    input,
    cache_read: at('cache_read_mtok') ?? input,
    cache_write: at('cache_write_mtok') ?? input,
    output,
    ...(long === null ? {} : { cache_write_1h: long }),
  }
}

function boundsOf(price: ModelPrice[string]): number[] {
  return typeof price === 'object' ? price.tiers.map(tier => tier.start).filter(start => start > 0) : []
}

function perMillion(price: ModelPrice[string], promptTokens: number): number | null {
  if (price === undefined) return null
  if (typeof price === 'number') return price
  const reached = price.tiers.filter(tier => promptTokens > tier.start)
  return reached.toSorted((a, b) => b.start - a.start)[0]?.price ?? price.base
}
