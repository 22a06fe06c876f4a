import { lazy, type ReactNode, Suspense } from 'react'
import { Button } from '../button.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { PlotProps } from './plot.tsx'
import { useShownAs } from './shown-as.ts'

/** Drawing takes half as much code as all the rest: it is fetched when the first chart is shown. */
const Plot = lazy(() => import('./plot.tsx').then(module => ({ default: module.Plot })))

export type ChartProps = PlotProps & {
  /** What the chart shows, in a few words. */
  readonly title: string
  /** The same numbers, exact, as a `Table`. */
  readonly table: ReactNode
  /** What stands before the switch, such as a choice of what to show. */
  readonly controls?: ReactNode
}

/**
 * A chart to look at, or the same numbers as a table: who can't see the one reads the other. The choice is kept for all
 * charts. Both have their height from the start, so that nothing moves when the drawing comes.
 */
export function Chart({ title, table, controls, ...plot }: ChartProps) {
  const [shownAs, showAs] = useShownAs()
  const other = shownAs === 'chart' ? 'table' : 'chart'
  return (
    <figure className="flex min-w-0 flex-col gap-4">
      <figcaption className="flex min-h-8 flex-wrap items-center justify-between gap-3">
        <h2 className="text-base font-semibold">{title}</h2>
        <div className="flex flex-wrap items-center gap-3">
          {controls}
          <Button size="small" onClick={() => showAs(other)} aria-label={`Show ${title} as ${other}`}>
            {other === 'table' ? 'As table' : 'As chart'}
          </Button>
        </div>
      </figcaption>
      {shownAs === 'table' ? (
        table
      ) : (
        <>
          <Legend series={plot.series} />
          <div role="img" aria-label={`${title}; the numbers are in its table`} className="h-64">
            <Suspense fallback={<Skeleton className="h-full" />}>
              <Plot {...plot} />
            </Suspense>
          </div>
        </>
      )}
    </figure>
  )
}

function Legend({ series }: Pick<PlotProps, 'series'>) {
  if (series.length < 2) return null
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {series.map(({ key, label, color }) => (
        <li key={key} className="flex items-center gap-2">
          <span className="size-2.5 rounded-sm" style={{ background: color }} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  )
}
