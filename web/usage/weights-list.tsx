import type { ModelWeights, TierWeights, UnitWeights } from '#contract/usage.ts'
import { formatCount, formatWeight } from '#web/ui/numbers.ts'
import { BUCKETS, LONGER_LIFE, UNIT_LABELS } from './model-words.ts'

export type WeightsListProps = {
  readonly weights: ModelWeights
  readonly unit_weights: UnitWeights | null
}

/** What the tokens of a model weigh, those of longer requests where they weigh otherwise, and what else is charged. */
export function WeightsList({ weights, unit_weights }: WeightsListProps) {
  const units = UNIT_LABELS.filter(({ unit }) => unit_weights?.[unit] !== undefined)
  // From the lowest bound up, as people read them.
  const tiers = (weights.tiers ?? []).toSorted((a, b) => a.above_input_tokens - b.above_input_tokens)
  return (
    <>
      <dl className="grid grid-cols-2 gap-5">
        <Rates weights={weights} />
        {units.map(({ unit, label, per }) => (
          <div key={unit}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="figures text-2xl font-semibold tracking-tight">
              {formatWeight(unit_weights?.[unit] ?? 0)}
            </dd>
            <dd className="text-sm text-muted">{per}</dd>
          </div>
        ))}
      </dl>
      {tiers.map(tier => (
        <section key={tier.above_input_tokens} className="mt-6">
          <h3 className="mb-3 text-sm font-medium">
            Requests of more than {formatCount(tier.above_input_tokens)} input tokens
          </h3>
          <dl className="grid grid-cols-2 gap-5">
            <Rates weights={tier.weights} />
          </dl>
        </section>
      ))}
    </>
  )
}

function Rates({ weights }: { readonly weights: TierWeights }) {
  const shown = weights.cache_write_1h === undefined ? BUCKETS : [...BUCKETS, LONGER_LIFE]
  return shown.map(({ bucket, label }) => (
    <div key={bucket}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="figures text-2xl font-semibold tracking-tight">{formatWeight(weights[bucket] ?? 0)}</dd>
    </div>
  ))
}
