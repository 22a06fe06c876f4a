import type { ModelWeights, UnitWeights } from '#contract/usage.ts'
import { formatCount } from '#web/ui/numbers.ts'
import { BUCKETS, LONGER_LIFE, UNIT_LABELS } from '#web/usage/model-words.ts'

/** All that a model is charged by, as far as something is said of it. */
export type AllWeights = {
  readonly weights: ModelWeights | null
  readonly unit_weights: UnitWeights | null
}

/** A weight by its name in words, before and after; undefined where there is none. */
export type WeightChange = {
  readonly label: string
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Every weight that a change changes, adds or takes away, those of tiers after the base. */
export function changedWeights(before: AllWeights, after: AllWeights): WeightChange[] {
  const [old, fresh] = [weightLines(before), weightLines(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap(label => {
    const change = { label, before: old.get(label), after: fresh.get(label) }
    return change.before === change.after ? [] : [change]
  })
}

function weightLines({ weights, unit_weights: units }: AllWeights): Map<string, number> {
  const tiers = (weights?.tiers ?? []).toSorted((a, b) => a.above_input_tokens - b.above_input_tokens)
  return new Map([
    ...(weights === null ? [] : rateLines(weights)),
    ...UNIT_LABELS.flatMap(({ unit, label }) => line(label, units?.[unit])),
    ...tiers.flatMap(tier =>
      rateLines(tier.weights, ` above ${formatCount(tier.above_input_tokens)} input tokens`),
    ),
  ])
}

function rateLines(weights: Omit<ModelWeights, 'tiers'>, suffix = ''): [string, number][] {
  return [...BUCKETS, LONGER_LIFE].flatMap(({ bucket, label }) => line(label + suffix, weights[bucket]))
}

function line(label: string, weight: number | undefined): [string, number][] {
  return weight === undefined ? [] : [[label, weight]]
}
