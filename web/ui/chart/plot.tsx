import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { PlotTooltip } from './plot-tooltip.tsx'
import type { ChartPoint, Series } from './series.ts'

export type PlotProps = {
  /** Bars and areas stand on each other; lines cross. */
  readonly kind: 'bars' | 'areas' | 'lines'
  readonly series: readonly Series[]
  readonly points: readonly ChartPoint[]
  /** A value on the axis: short. */
  readonly formatTick: (value: number) => string
  /** A value in words, for the tooltip. */
  readonly formatValue: (value: number) => string
}

const FRAMES = { bars: BarChart, areas: AreaChart, lines: LineChart } as const
const TICK = { fill: 'var(--muted)', fontSize: 12 }

/** Draws a chart; `Chart` loads it. Nothing moves in it: a picture that draws itself again and again tires. */
export function Plot({ kind, series, points, formatTick, formatValue }: PlotProps) {
  const Frame = FRAMES[kind]
  return (
    <ResponsiveContainer width="100%" height="100%">
      <Frame data={[...points]} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="label" tick={TICK} tickLine={false} stroke="var(--line)" minTickGap={24} />
        <YAxis width="auto" tick={TICK} tickLine={false} axisLine={false} tickFormatter={formatTick} />
        <Tooltip
          cursor={{ fill: 'var(--sunken)', stroke: 'var(--line)' }}
          isAnimationActive={false}
          content={({ active, label }) =>
            active && (
              <PlotTooltip
                series={series}
                point={points.find(point => point.label === label)}
                formatValue={formatValue}
              />
            )
          }
        />
        {series.map(one => drawSeries(kind, one))}
      </Frame>
    </ResponsiveContainer>
  )
}

function drawSeries(kind: PlotProps['kind'], { key, label, color }: Series) {
  const common = {
    key,
    name: label,
    dataKey: (point: ChartPoint) => point.values[key] ?? null,
    isAnimationActive: false,
  }
  switch (kind) {
    case 'bars':
      return <Bar {...common} key={key} stackId="all" fill={color} maxBarSize={48} />
    case 'areas':
      return (
        <Area
          {...common}
          key={key}
          stackId="all"
          fill={color}
          fillOpacity={0.85}
          stroke={color}
          type="monotone"
        />
      )
    case 'lines':
      // Dots, since a value between two that are missing is no line.
      return (
        <Line
          {...common}
          key={key}
          stroke={color}
          strokeWidth={2}
          dot={{ r: 2, strokeWidth: 0, fill: color }}
          type="monotone"
        />
      )
  }
}
