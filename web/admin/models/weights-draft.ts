import { type ModelWeights, modelWeights, UNIT_OF, type UnitName, type UnitWeights } from '#contract/usage.ts'
import type { Model } from '#web/api/admin/models.ts'

export const ITEMS = ['input', 'cache_read', 'cache_write', 'output', 'cache_write_1h'] as const
export type WeightItem = (typeof ITEMS)[number]

/** Weights as they are written into fields: texts, of which those that are left empty are not given. */
export type WeightsDraft = {
  readonly texts: Readonly<Record<WeightItem, string>>
  readonly units: Readonly<Partial<Record<UnitName, string>>>
  readonly tiers: ModelWeights['tiers']
}

/** The units that the routes of a model are charged by. */
export function unitsOf({ endpoints }: Pick<Model, 'endpoints'>): UnitName[] {
  return [...new Set(endpoints.flatMap(name => UNIT_OF[name] ?? []))]
}

export function toDraft(weights: ModelWeights | null, units: UnitWeights | null = null): WeightsDraft {
  return {
    texts: {
      input: textOf(weights?.input),
      cache_read: textOf(weights?.cache_read),
      cache_write: textOf(weights?.cache_write),
      output: textOf(weights?.output),
      cache_write_1h: textOf(weights?.cache_write_1h),
    },
    units: Object.fromEntries(Object.entries(units ?? {}).map(([unit, weight]) => [unit, textOf(weight)])),
    tiers: weights?.tiers,
  }
}

function textOf(weight: number | undefined): string {
  return weight === undefined ? '' : String(weight)
}

/** What the fields say; null with the name of the first field that says no weight. */
export function readDraft({
  texts,
  units,
  tiers,
}: WeightsDraft):
  | { readonly ok: true; readonly weights: ModelWeights; readonly units: UnitWeights | null }
  | { readonly ok: false; readonly field: string } {
  const wrong = ITEMS.find(
    item => numberOf(texts[item]) === null && (texts[item] !== '' || item !== 'cache_write_1h'),
  )
  if (wrong !== undefined) return { ok: false, field: wrong }
  const given = Object.entries(units).filter(([, text]) => text !== '')
  const wrongUnit = given.find(([, text]) => numberOf(text) === null)
  if (wrongUnit) return { ok: false, field: wrongUnit[0] }
  const filled = ITEMS.filter(item => texts[item] !== '').map(item => [item, numberOf(texts[item])])
  return {
    ok: true,
    weights: modelWeights.parse({ ...Object.fromEntries(filled), ...(tiers ? { tiers } : {}) }),
    units:
      given.length === 0 ? null : Object.fromEntries(given.map(([unit, text]) => [unit, numberOf(text)])),
  }
}

function numberOf(text: string | undefined): number | null {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'))
  return Number.isFinite(value) && value >= 0 ? value : null
}
