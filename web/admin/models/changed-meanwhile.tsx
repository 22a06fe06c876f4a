import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AuditEntry, actorsQuery, auditQuery } from '#web/api/admin/audit.ts'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'

export type ChangedMeanwhileProps = {
  readonly modelId: string
  /** What was changed, such as `weights`. */
  readonly what: string
  /** Whether an entry of the audit log tells of such a change. */
  readonly isChange: (entry: AuditEntry) => boolean
  /** What was written stays, to be held against what there is now. */
  readonly onKeep: () => void
  /** What was written gives way to what there is now. */
  readonly onTake: () => void
  /** What was changed, line by line. */
  readonly children: ReactNode
}

/** Says that somebody else changed what a form is about since it was opened, and lets its writer decide what holds. */
export function ChangedMeanwhile(props: ChangedMeanwhileProps) {
  const { modelId, what, isChange, onKeep, onTake, children } = props
  const history = useQuery(auditQuery({ target_type: 'model', target_id: modelId, limit: 100 }))
  const actors = useQuery(actorsQuery).data?.data ?? []
  const latest = history.data?.data.find(isChange)
  const nameOf = (id: string | null) =>
    id === null ? 'The service' : actors.find(actor => actor.id === id)?.name
  const name = (latest && nameOf(latest.actor.id)) ?? 'Somebody'
  return (
    <div className="flex flex-col gap-3">
      <p>
        <strong>
          {name} changed these {what} while you wrote
        </strong>
        {latest && (
          <>
            {' '}
            (<DateTime value={latest.created_at} />)
          </>
        )}
        . Nothing of yours is saved yet, and nothing of it is lost.
      </p>
      <ul>{children}</ul>
      <div className="flex flex-wrap gap-3">
        <Button size="small" onClick={onKeep}>
          Go on with mine
        </Button>
        <Button size="small" onClick={onTake}>
          Take theirs
        </Button>
      </div>
    </div>
  )
}
