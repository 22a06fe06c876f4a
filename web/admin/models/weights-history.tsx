import { useQuery } from '@tanstack/react-query'
import { modelWeights, unitWeights } from '#contract/usage.ts'
import { type AuditEntry, auditQuery } from '#web/api/admin/audit.ts'
import type { Model } from '#web/api/admin/models.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatWeight } from '#web/ui/numbers.ts'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type AllWeights, changedWeights } from './weight-lines.ts'

/** Every change of what a model weighs, with its date, from the audit log. */
export function WeightsHistory({ model }: { readonly model: Model }) {
  const history = useQuery(auditQuery({ target_type: 'model', target_id: model.id, limit: 100 }))
  const changes = (history.data?.data ?? []).flatMap(entry => {
    const weights = changedWeights(weightsIn(entry.before), weightsIn(entry.after))
    return weights.length === 0 ? [] : [{ entry, weights }]
  })
  return (
    <>
      {history.isPending && (
        <div role="status" aria-label="Loading the history">
          <Skeleton className="h-16" />
        </div>
      )}
      <QueryFailure query={history} title="The history could not be loaded" />
      {history.data && changes.length === 0 && (
        <p className="text-sm text-muted">It never had any weights.</p>
      )}
      <ol className="flex flex-col gap-4 text-sm">
        {changes.map(({ entry, weights }) => (
          <li key={entry.id}>
            <p className="font-medium">
              <DateTime value={entry.created_at} />
            </p>
            <ul className="text-muted">
              {weights.map(({ label, before, after }) => (
                <li key={label} className="figures">
                  {label}: {show(before)} → {show(after)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </>
  )
}

const show = (weight: number | undefined) => (weight === undefined ? 'none' : formatWeight(weight))

/** The weights that an entry tells of; none where it tells of none. */
function weightsIn(record: AuditEntry['before']): AllWeights {
  if (typeof record !== 'object' || record === null) return { weights: null, unit_weights: null }
  const { weights, unit_weights } = record as Record<string, unknown> // an object may have any members
  return {
    weights: modelWeights.safeParse(weights).data ?? null,
    unit_weights: unitWeights.safeParse(unit_weights).data ?? null,
  }
}
