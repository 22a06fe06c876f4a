import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type {
  DiscoveredModel,
  importedModels,
  importModels,
  Pricing,
  providerDiscovery,
  weightQuestion,
  weightSuggestion,
} from '#contract/provider-models.ts'
import type { Actor } from '#domains/audit/audit.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { type FindListPrice, loadListPrices, priceListOf } from './list-price.ts'
import type { NewModel } from './model-change.ts'
import type { ToldModel } from './model-listing.ts'
import type { Models } from './models.ts'
import type { ProviderProbes } from './provider-probes.ts'
import type { ProviderRecord } from './provider-record.ts'
import type { Providers } from './providers.ts'
import { suggestWeights } from './suggest-weights.ts'

export type Discovery = z.infer<typeof providerDiscovery>
export type WeightSuggestion = z.infer<typeof weightSuggestion>

/** What providers have on offer, what it costs there, and how it comes into the catalogue. */
export type ProviderModels = {
  /** Asks a provider for its models, and the price list for their prices. */
  discover(providerId: string): Promise<Outcome<Discovery, ServiceError>>
  /** Makes models with a route to the provider: all of them, each on the audit log, or none. */
  import(
    providerId: string,
    given: z.infer<typeof importModels>,
    actor: Actor,
  ): Promise<Outcome<z.infer<typeof importedModels>, ServiceError>>
  /** Weights by the list price of a model; 404 for one that is not on the price list. */
  suggest(question: z.infer<typeof weightQuestion>): Promise<Outcome<WeightSuggestion, ServiceError>>
}

export type ProviderModelsParts = {
  readonly providers: Pick<Providers, 'find' | 'findCallable'>
  readonly models: Pick<Models, 'createAll' | 'findByUpstream'>
  readonly probes: Pick<ProviderProbes, 'discoverModels'>
  readonly settings: Pick<SettingsRegister, 'get'>
  readonly clock: Clock
}

const NO_PROVIDER = refusals.notFound('No such provider')
const UNLISTED = refusals.notFound('The price list does not know this model')
export const UNREADABLE = "The stored credential does not open with this service's secret; give it again"

/** How many models are looked up on the price list before others have their turn on the event loop. */
const LOOK_UPS_AT_A_TIME = 25

export function createProviderModels(parts: ProviderModelsParts): ProviderModels {
  const { providers, models, probes, settings, clock } = parts
  const pricingOf = async (given: Partial<Pricing> | undefined): Promise<Pricing> => ({
    ...(await settings.get()).pricing,
    ...Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)),
  })

  async function describe(told: readonly ToldModel[], provider: ProviderRecord): Promise<DiscoveredModel[]> {
    const findPrice = await loadListPrices(clock.now())
    const known = await models.findByUpstream(provider.id)
    const described: DiscoveredModel[] = []
    for (const [index, model] of told.entries()) {
      if (index % LOOK_UPS_AT_A_TIME === 0) await setImmediate()
      const listed = findPriceOf(findPrice, provider, model)
      described.push({ ...toDiscovered(model, listed), models: known.get(model.upstreamModel) ?? [] })
    }
    return described
  }

  async function weighByList(
    given: z.infer<typeof importModels>,
    provider: ProviderRecord,
  ): Promise<Outcome<NewModel[], ServiceError>> {
    const findPrice = await loadListPrices(clock.now())
    const pricing = await pricingOf(given.pricing)
    const weighed: NewModel[] = []
    for (const { upstream_model, ...model } of given.models) {
      const routes = [{ provider_id: provider.id, upstream_model }]
      const endpoints = model.endpoints ?? ['chat' as const]
      const listed =
        model.weights === undefined
          ? findPriceOf(findPrice, provider, { upstreamModel: upstream_model, endpoints })?.weights
          : null
      const suggested = listed ? suggestWeights(listed, pricing) : null
      if (suggested && !suggested.ok) return refused(refusals.invalid(`pricing.${suggested.refusal}`))
      weighed.push({ ...model, ...(suggested ? { weights: suggested.value.weights } : {}), routes })
    }
    return accepted(weighed)
  }

  return {
    discover: async providerId => {
      const callable = await providers.findCallable(providerId)
      const provider = await providers.find(providerId)
      if (callable === null || !provider) return refused(NO_PROVIDER)
      if (callable === 'unreadable') return accepted(unreadable())
      const { models: told, ...verdict } = await probes.discoverModels(callable)
      return accepted({ object: 'provider_discovery', ...verdict, models: await describe(told, provider) })
    },
    import: async (providerId, given, actor) => {
      const provider = await providers.find(providerId)
      if (!provider) return refused(NO_PROVIDER)
      const weighed = await weighByList(given, provider)
      if (!weighed.ok) return weighed
      const made = await models.createAll(weighed.value, actor)
      if (!made.ok) return made
      return accepted({ object: 'list', data: made.value.map(({ id, enabled }) => ({ id, enabled })) })
    },
    suggest: async ({ provider_id, upstream_model, endpoint, ...given }) => {
      const provider = provider_id === undefined ? null : await providers.find(provider_id)
      if (provider_id !== undefined && provider === null) return refused(NO_PROVIDER)
      const findPrice = await loadListPrices(clock.now())
      const list = provider && priceListOf(provider)
      // Of a server with prices of its own, what others ask for the model is still a measure.
      const listed = findPrice({ provider: list, model: upstream_model, endpoint })
      if (!listed?.weights) return refused(UNLISTED)
      const pricing = await pricingOf(given)
      const suggested = suggestWeights(listed.weights, pricing)
      if (!suggested.ok) return refused(refusals.invalid(suggested.refusal))
      return accepted({
        object: 'weight_suggestion',
        listed_by: listed.provider,
        name: listed.name,
        context_window: listed.contextWindow,
        pricing,
        weights: suggested.value.weights,
        lines: [...suggested.value.lines],
      })
    },
  }
}

function findPriceOf(
  findPrice: FindListPrice,
  provider: ProviderRecord,
  { upstreamModel, endpoints }: Pick<ToldModel, 'upstreamModel' | 'endpoints'>,
) {
  const list = priceListOf(provider)
  const [endpoint] = endpoints
  if (list === null || endpoint === undefined) return null
  return findPrice({ provider: list, model: upstreamModel, endpoint })
}

function toDiscovered(told: ToldModel, listed: ReturnType<FindListPrice>): Omit<DiscoveredModel, 'models'> {
  return {
    upstream_model: told.upstreamModel,
    name: told.name ?? listed?.name ?? null,
    description: told.description ?? null,
    context_window: told.contextWindow ?? listed?.contextWindow ?? null,
    max_output_tokens: told.maxOutputTokens ?? null,
    modalities: told.modalities ?? null,
    endpoints: [...told.endpoints],
    list_price: listed?.weights ?? null,
  }
}

function unreadable(): Discovery {
  return {
    object: 'provider_discovery',
    ok: false,
    verdict: 'unreadable_credential',
    latency_ms: 0,
    message: UNREADABLE,
    models: [],
  }
}
