import type { ChartPoint, Series } from './series.ts'

export type PlotTooltipProps = {
  readonly point: ChartPoint | undefined
  readonly series: readonly Series[]
  readonly formatValue: (value: number) => string
}

/** What the pointed-at part of a chart stands for. */
export function PlotTooltip({ point, series, formatValue }: PlotTooltipProps) {
  if (!point) return null
  return (
    <div className="rounded-lg border border-line bg-surface px-3 py-2 text-sm text-ink shadow-float">
      <p className="mb-1 font-medium">{point.label}</p>
      <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-2">
        {series.map(({ key, label, color }) => (
          <div key={key} className="contents">
            <span className="size-2.5 rounded-sm" style={{ background: color }} aria-hidden="true" />
            <dt className="text-muted">{label}</dt>
            <dd className="figures ml-4 text-right">{textOf(point.values[key], formatValue)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function textOf(value: number | undefined, formatValue: (value: number) => string): string {
  return value === undefined ? '–' : formatValue(value)
}
