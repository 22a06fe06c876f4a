import type { Actor } from '#domains/audit/audit.ts'
import type { Log } from '#telemetry/log.ts'
import { PROVIDER_PRESETS, type PresetModel, type ProviderPreset } from './environment-presets.ts'
import { type FindListPrice, loadListPrices } from './list-price.ts'
import type { Models } from './models.ts'
import type { Providers } from './providers.ts'

/** Values of the environment by name, as the configuration read them. */
export type EnvironmentKeys = Readonly<Record<string, string | undefined>>

export type EnvironmentProvider = { readonly preset: ProviderPreset; readonly credential: string }

/** The names that `findEnvironmentProviders` looks at: what the configuration has to read. */
export const ENVIRONMENT_KEY_NAMES: readonly string[] = PROVIDER_PRESETS.map(preset => preset.variable)

/** The well-known providers whose keys are among the values; blank ones are none. */
export function findEnvironmentProviders(keys: EnvironmentKeys): EnvironmentProvider[] {
  return PROVIDER_PRESETS.flatMap(preset => {
    const credential = keys[preset.variable]?.trim()
    return credential ? [{ preset, credential }] : []
  })
}

export type EnvironmentSetUpOptions = {
  readonly providers: Pick<Providers, 'create'>
  readonly models: Pick<Models, 'create'>
  readonly log: Log
  readonly nowMs: number
}

export type EnvironmentSetUp = {
  /** Names of the providers that were made. */
  readonly providers: readonly string[]
  /** Ids of the models that were made and can be called. */
  readonly models: readonly string[]
}

const SYSTEM: Actor = { type: 'system', id: null }

/**
 * Makes providers and a short list of their models, weighed by the public list prices. What is there already, or is
 * refused, is left as it is and logged; a model whose price is not known is made without weights, thus not enabled.
 */
export async function setUpEnvironmentProviders(
  found: readonly EnvironmentProvider[],
  { providers, models, log, nowMs }: EnvironmentSetUpOptions,
): Promise<EnvironmentSetUp> {
  const made = { providers: [] as string[], models: [] as string[] }
  if (found.length === 0) return made
  const findListPrice = await loadListPrices(nowMs)
  for (const { preset, credential } of found) {
    const { name, kind } = preset
    const provider = await providers.create({ name, kind, credential }, SYSTEM)
    if (!provider.ok) {
      log.warn({ provider: name, reason: provider.refusal.message }, 'a provider was not set up')
      continue
    }
    made.providers.push(name)
    for (const model of preset.models) {
      const outcome = await models.create(toNewModel(preset, model, provider.value.id, findListPrice), SYSTEM)
      if (!outcome.ok)
        log.warn({ model: model.id, reason: outcome.refusal.message }, 'a model was not set up')
      else if (outcome.value.enabled) made.models.push(model.id)
      else log.warn({ model: model.id }, 'a model has no list price: give it weights to enable it')
    }
  }
  return made
}

function toNewModel(
  preset: ProviderPreset,
  { id, upstreamModel, endpoint }: PresetModel,
  providerId: string,
  findListPrice: FindListPrice,
): Parameters<Models['create']>[0] {
  const listed = findListPrice({ provider: preset.priceListId, model: upstreamModel, endpoint })
  return {
    id,
    name: listed?.name ?? id,
    owned_by: preset.ownedBy,
    context_window: listed?.contextWindow ?? null,
    endpoints: [endpoint],
    weights: listed?.weights ?? null,
    routes: [{ provider_id: providerId, upstream_model: upstreamModel }],
  }
}
