import type { CatalogEntry } from '#web/api/discovery.ts'
import { formatWeight } from '#web/ui/numbers.ts'
import { BUCKETS, UNIT_LABELS } from './model-words.ts'

/** The four weights of a model, and those of what else it is charged by. */
export function ModelWeights({ weights, unit_weights }: Pick<CatalogEntry, 'weights' | 'unit_weights'>) {
  const units = UNIT_LABELS.filter(({ unit }) => unit_weights?.[unit] !== undefined)
  return (
    <>
      <dl className="grid grid-cols-2 gap-5">
        {BUCKETS.map(({ bucket, label }) => (
          <div key={bucket}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="figures text-2xl font-semibold tracking-tight">{formatWeight(weights[bucket])}</dd>
          </div>
        ))}
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
      <p className="mt-5 text-sm text-muted">
        Credits for a million tokens. Each token counts in one kind alone; the sum is rounded up once, to a
        millionth of a credit.
      </p>
    </>
  )
}
