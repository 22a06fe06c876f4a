import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '#web/api/client/usage.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { Chart } from '#web/ui/chart/chart.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FiguresTable } from '#web/usage/figures-table.tsx'
import { MEASURE_VIEWS } from '#web/usage/measures.ts'
import { readUsageQuery } from '#web/usage/read-usage-query.ts'
import { drawReport, nameMoments, offsetOfDays } from '#web/usage/timeline.ts'
import { offsetHere } from '#web/usage/usage-span.ts'

/** What was spent in the last 30 days, day by day. */
export function Spending() {
  const asked = readUsageQuery({ by: 'nothing' }, new Date())
  const usage = useQuery({ ...usageQuery(asked.ok ? asked.query : {}), enabled: asked.ok })
  if (usage.isError) return <QueryFailure title="What was spent could not be loaded" query={usage} />
  if (!usage.data) return <Skeleton className="h-93" />
  const report = usage.data
  const view = MEASURE_VIEWS.credits
  const name = nameMoments(report, offsetOfDays(report, offsetHere(new Date())))
  return (
    <div className="rounded-lg border border-line bg-surface p-5">
      <Chart
        {...drawReport(report, view, name)}
        title={`${formatCredits(report.totals.credits)} credits in 30 days`}
        controls={
          <Link to="/usage" className={buttonClasses({ size: 'small' })}>
            All usage
          </Link>
        }
        kind="bars"
        formatTick={view.tick}
        formatValue={view.value}
        table={<FiguresTable report={report} view={view} name={name} />}
      />
    </div>
  )
}
