import type { UsageReport } from '#contract/usage-report.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { StatTabs } from '#web/ui/stat-tabs.tsx'
import { FiguresTable } from './figures-table.tsx'
import { MEASURE_VIEWS } from './measures.ts'
import { drawReport, nameMoments, offsetOfDays } from './timeline.ts'
import { GROUP_NAMES } from './usage-groups.ts'
import { MEASURES, type Measure } from './usage-search.ts'
import { offsetHere, offsetText } from './usage-span.ts'

export type UsageReportViewProps = {
  readonly report: UsageReport
  readonly measure: Measure
  readonly onMeasure: (measure: Measure) => void
}

/** The figures of a report side by side, and one of them over time. */
export function UsageReportView({ report, measure, onMeasure }: UsageReportViewProps) {
  const view = MEASURE_VIEWS[measure]
  const { totals, bucket, group_by: groupedBy } = report
  const offsetMs = offsetOfDays(report, offsetHere(new Date()))
  const name = nameMoments(report, offsetMs)
  const isByGroup = groupedBy !== null && view.whole !== null
  const by = isByGroup ? ` by ${GROUP_NAMES[groupedBy].toLowerCase()}` : ''
  const what = isByGroup ? view.whole.label : view.label
  return (
    <StatTabs
      label="Figures"
      value={measure}
      // Only names of measures are given as tabs.
      onValueChange={next => onMeasure(next as Measure)}
      tabs={MEASURES.map(value => ({
        value,
        label: MEASURE_VIEWS[value].label,
        figure: MEASURE_VIEWS[value].total(totals),
        note: MEASURE_VIEWS[value].note(totals),
      }))}
    >
      <div className="rounded-lg border border-line bg-surface p-5">
        <Chart
          {...drawReport(report, view, name)}
          title={`${what}${by}, ${bucket === 'hour' ? 'hour by hour' : 'day by day'}`}
          kind={view.addsUp ? 'bars' : 'lines'}
          formatTick={view.tick}
          formatValue={view.value}
          table={<FiguresTable key={report.from} report={report} view={view} name={name} />}
        />
        {bucket === 'day' && (
          <p className="mt-3 text-xs text-muted">
            Days begin at midnight{offsetMs === 0 ? ' in UTC' : `, UTC${offsetText(offsetMs)}`}.
          </p>
        )}
      </div>
    </StatTabs>
  )
}
