import { Link } from '@tanstack/react-router'
import type { UsageReport } from '#contract/usage-report.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { GroupTable } from '#web/usage/group-table.tsx'
import { UsageReportView } from '#web/usage/usage-report-view.tsx'
import type { UsageSearch } from '#web/usage/usage-search.ts'

export type UsageBodyProps = {
  readonly report: UsageReport
  readonly search: UsageSearch
  readonly onChange: (next: Partial<UsageSearch>) => void
  /** Whether the report is the one before what is asked for now. */
  readonly isStale: boolean
}

/** A report, or what to do where there is nothing in it. */
export function UsageBody({ report, search, onChange, isStale }: UsageBodyProps) {
  if (report.totals.requests === 0) return <NoUsage isNarrow={isNarrow(search)} />
  return (
    <div aria-busy={isStale} className={isStale ? 'opacity-60' : undefined}>
      <UsageReportView
        report={report}
        measure={search.show ?? 'credits'}
        onMeasure={show => onChange({ show })}
      />
      {report.group_by !== null && (
        <GroupTable
          report={report}
          groupedBy={report.group_by}
          nameOf={({ model, key_id: key }, label) => {
            const narrower = key !== undefined ? { key } : typeof model === 'string' ? { model } : null
            if (narrower === null) return label
            return (
              <Link to="/usage" search={{ ...search, ...narrower }} className={textLinkClasses}>
                {label}
              </Link>
            )
          }}
        />
      )}
    </div>
  )
}

function isNarrow({ model, key, range }: UsageSearch): boolean {
  return model !== undefined || key !== undefined || range !== undefined
}

function NoUsage({ isNarrow }: { readonly isNarrow: boolean }) {
  if (isNarrow) {
    return (
      <EmptyState title="No requests in this time">Take a filter away, or look at a longer time.</EmptyState>
    )
  }
  return (
    <EmptyState
      title="No requests yet"
      action={
        <Link to="/keys" className={buttonClasses({ look: 'primary' })}>
          To your keys
        </Link>
      }
    >
      Send one with a key of yours: it is counted here a moment later.
    </EmptyState>
  )
}
