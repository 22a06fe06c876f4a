import { useQuery } from '@tanstack/react-query'
import { auditQuery } from '#web/api/admin/audit.ts'
import type { Model } from '#web/api/admin/models.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { WeightChangeList } from './weight-change-list.tsx'
import { recordedChanges } from './weight-changes.ts'

/** Every change of what a model weighs, with its date, from the audit log. */
export function WeightsHistory({ model }: { readonly model: Model }) {
  const history = useQuery(auditQuery({ target_type: 'model', target_id: model.id, limit: 100 }))
  const changes = recordedChanges(history.data?.data ?? [])
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
              <WeightChangeList changes={weights} />
            </ul>
          </li>
        ))}
      </ol>
    </>
  )
}
