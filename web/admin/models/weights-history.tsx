import { useQuery } from '@tanstack/react-query'
import { type AuditEntry, auditQuery } from '#web/api/admin/audit.ts'
import type { Model } from '#web/api/admin/models.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BUCKETS, LONGER_LIFE, UNIT_LABELS } from '#web/usage/model-words.ts'
import { changedFields } from '../audit/changed-fields.ts'

const LABELS: ReadonlyMap<string, string> = new Map([
  ...[...BUCKETS, LONGER_LIFE].map(({ bucket, label }) => [bucket, label] as const),
  ...UNIT_LABELS.map(({ unit, label }) => [unit, label] as const),
])

/** Every change of what a model weighs, with its date, from the audit log. */
export function WeightsHistory({ model }: { readonly model: Model }) {
  const history = useQuery(auditQuery({ target_type: 'model', target_id: model.id, limit: 100 }))
  const changes = (history.data?.data ?? []).flatMap(entry => {
    const fields = changedFields(weightsIn(entry.before), weightsIn(entry.after))
    return fields.length === 0 ? [] : [{ entry, fields }]
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
        {changes.map(({ entry, fields }) => (
          <li key={entry.id}>
            <p className="font-medium">
              <DateTime value={entry.created_at} />
            </p>
            <ul className="text-muted">
              {fields.map(({ field, before, after }) => (
                <li key={field} className="figures break-all">
                  {LABELS.get(field) ?? field}: {before} → {after}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </>
  )
}

function weightsIn(record: AuditEntry['before']): unknown {
  if (typeof record !== 'object' || record === null) return null
  const { weights = null, unit_weights = null } = record as Record<string, unknown> // an object may have any members
  return { ...asObject(weights), ...asObject(unit_weights) }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
