import {
  type ModelWeights,
  modelWeights,
  type TierWeights,
  UNIT_OF,
  type UnitName,
  type UnitWeights,
  unitName,
} from '#contract/usage.ts'
import type { Model } from '#web/api/admin/models.ts'
import { weightText } from '#web/ui/numbers.ts'
import { isAmbiguous, typedCount, typedNumber } from '#web/ui/typed-number.ts'

export const ITEMS = ['input', 'cache_read', 'cache_write', 'output', 'cache_write_1h'] as const
export type WeightItem = (typeof ITEMS)[number]

/** Weights of tokens as they are written into fields. */
export type RateTexts = Readonly<Record<WeightItem, string>>

/** A tier as it is written into fields; the number only tells rows apart. */
export type TierDraft = { readonly row: number; readonly bound: string; readonly texts: RateTexts }

/** Weights as they are written into fields: texts, of which those that are left empty are not given. */
export type WeightsDraft = {
  readonly texts: RateTexts
  readonly units: Readonly<Partial<Record<UnitName, string>>>
  readonly tiers: readonly TierDraft[]
}

/** The units that the routes of a model are charged by. */
export function unitsOf({ endpoints }: Pick<Model, 'endpoints'>): UnitName[] {
  return [...new Set(endpoints.flatMap(name => UNIT_OF[name] ?? []))]
}

/** The same, and those that it has weights of all the same. */
export function shownUnits(model: Pick<Model, 'endpoints' | 'unit_weights'>): UnitName[] {
  const asked = unitsOf(model)
  return unitName.options.filter(unit => asked.includes(unit) || model.unit_weights?.[unit] !== undefined)
}

export function toDraft(weights: ModelWeights | null, units: UnitWeights | null = null): WeightsDraft {
  // From the lowest bound up, as people read them.
  const tiers = (weights?.tiers ?? []).toSorted((a, b) => a.above_input_tokens - b.above_input_tokens)
  return {
    texts: toTexts(weights),
    units: Object.fromEntries(Object.entries(units ?? {}).map(([unit, weight]) => [unit, textOf(weight)])),
    tiers: tiers.map((tier, row) => ({
      row,
      bound: String(tier.above_input_tokens),
      texts: toTexts(tier.weights),
    })),
  }
}

/** A further tier: it begins with what shorter requests weigh, of which some will change. */
export function withTier(draft: WeightsDraft): WeightsDraft {
  const row = Math.max(-1, ...draft.tiers.map(tier => tier.row)) + 1
  const texts = draft.tiers.at(-1)?.texts ?? draft.texts
  return { ...draft, tiers: [...draft.tiers, { row, bound: '', texts }] }
}

/** What a tier's field is called in the form. */
export function tierField({ row }: Pick<TierDraft, 'row'>, item: WeightItem | 'bound'): string {
  return `tiers.${row}.${item}`
}

function toTexts(rates: TierWeights | null): RateTexts {
  return {
    input: textOf(rates?.input),
    cache_read: textOf(rates?.cache_read),
    cache_write: textOf(rates?.cache_write),
    output: textOf(rates?.output),
    cache_write_1h: textOf(rates?.cache_write_1h),
  }
}

function textOf(weight: number | undefined): string {
  return weight === undefined ? '' : weightText(weight)
}

export type WeightsReading =
  | { readonly ok: true; readonly weights: ModelWeights; readonly units: UnitWeights | null }
  /** What is wrong, by the names of the fields. */
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> }

/** What the fields say, or what is wrong with every one that says nothing that can be charged by. */
export function readDraft(draft: WeightsDraft, neededUnits: readonly UnitName[] = []): WeightsReading {
  const errors = {
    ...findRateErrors(draft.texts, item => item),
    ...findUnitErrors(draft, neededUnits),
    ...findTierErrors(draft),
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  const tiers = draft.tiers.map(({ bound, texts }) => ({
    above_input_tokens: typedCount(bound),
    weights: toRates(texts),
  }))
  const units = Object.entries(draft.units).filter(([, text]) => text.trim() !== '')
  return {
    ok: true,
    weights: modelWeights.parse({ ...toRates(draft.texts), ...(tiers.length > 0 ? { tiers } : {}) }),
    units:
      units.length === 0 ? null : Object.fromEntries(units.map(([unit, text]) => [unit, typedNumber(text)])),
  }
}

const LARGEST_WEIGHT = 1_000_000_000
const LARGEST_UNIT_WEIGHT = 100_000

function findRateErrors(texts: RateTexts, nameOf: (item: WeightItem) => string): Record<string, string> {
  return Object.fromEntries(
    ITEMS.flatMap(item => {
      if (item === 'cache_write_1h' && texts[item].trim() === '') return []
      const problem = findProblem(texts[item], LARGEST_WEIGHT)
      return problem === null ? [] : [[nameOf(item), problem]]
    }),
  )
}

function findUnitErrors({ units }: WeightsDraft, needed: readonly UnitName[]): Record<string, string> {
  return Object.fromEntries(
    unitName.options.flatMap(unit => {
      const text = units[unit]?.trim() ?? ''
      if (text === '')
        return needed.includes(unit) ? [[unit, 'Needed: the model is enabled and charged by it.']] : []
      const problem = findProblem(text, LARGEST_UNIT_WEIGHT)
      return problem === null ? [] : [[unit, problem]]
    }),
  )
}

function findTierErrors({ tiers, texts }: WeightsDraft): Record<string, string> {
  const bounds = new Set<number>()
  return Object.assign(
    {},
    ...tiers.map(tier => {
      const bound = typedCount(tier.bound)
      const isBound = bound >= 1 && bound <= 1_000_000_000
      const isTwice = bounds.has(bound)
      bounds.add(bound)
      const lacksLongLife = texts.cache_write_1h.trim() !== '' && tier.texts.cache_write_1h.trim() === ''
      return {
        ...findRateErrors(tier.texts, item => tierField(tier, item)),
        // Left empty, they would weigh less above the bound than below it.
        ...(lacksLongLife
          ? { [tierField(tier, 'cache_write_1h')]: 'Needed, since shorter requests have one.' }
          : {}),
        ...(isTwice ? { [tierField(tier, 'bound')]: 'Another tier begins there.' } : {}),
        ...(isBound ? {} : { [tierField(tier, 'bound')]: 'Give a whole number of tokens above 0.' }),
      }
    }),
  )
}

/** As many digits before the point as one likes, and as many after it as are charged by. */
const WEIGHT = /^(\d+([.,]\d{0,12})?|[.,]\d{1,12})$/

function findProblem(text: string, most: number): string | null {
  const typed = text.trim()
  if (!WEIGHT.test(typed)) {
    return /^\d*[.,]\d{13,}$/.test(typed) ? 'Give at most twelve decimals.' : 'Give a number of 0 or more.'
  }
  if (isAmbiguous(typed)) return 'Write thousands without a comma.'
  return typedNumber(typed) > most ? `Give at most ${most.toLocaleString('en')}.` : null
}

function toRates(texts: RateTexts): TierWeights {
  const { input, cache_read, cache_write, output, cache_write_1h } = texts
  return {
    input: typedNumber(input),
    cache_read: typedNumber(cache_read),
    cache_write: typedNumber(cache_write),
    output: typedNumber(output),
    ...(cache_write_1h.trim() === '' ? {} : { cache_write_1h: typedNumber(cache_write_1h) }),
  }
}
