import type { UsageFigures } from '#contract/usage-report.ts'
import { BUCKET_SERIES, type Series } from '#web/ui/chart/series.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { formatCount, formatDuration, formatShare, formatShortCount } from '#web/ui/numbers.ts'
import type { Measure } from './usage-search.ts'

/** A number of a row for drawing; undefined where there was nothing to measure. */
type Reading = (figures: UsageFigures) => number | undefined

/** A number of a row as it is written. */
type Writing = {
  readonly header: string
  readonly text: (figures: UsageFigures) => string
  /** Not known of groups by the hour or day. */
  readonly isOfAllAlone?: true
}

export type MeasureView = {
  readonly label: string
  /** The figure over all that is looked at, and what else is worth knowing of it. */
  readonly total: (totals: UsageFigures) => string
  readonly note: (totals: UsageFigures) => string
  /** Whether parts and groups add up to the whole: these stand on each other, all else are lines. */
  readonly addsUp: boolean
  /** What one hour or day is made of. */
  readonly parts: readonly (Series & { readonly read: Reading })[]
  /** One number of a group; null where groups are drawn by their parts all the same. */
  readonly whole: { readonly label: string; readonly read: Reading } | null
  readonly columns: readonly Writing[]
  /** On the axis: short. */
  readonly tick: (value: number) => string
  readonly value: (value: number) => string
}

const PLAIN = 'var(--bucket-output)'
const CREDITS_SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

function tokensOf({ usage }: UsageFigures): number {
  return usage.input + usage.cache_read + usage.cache_write + usage.output
}

function errorRate({ failed, requests }: UsageFigures): number | undefined {
  return requests === 0 ? undefined : failed / requests
}

const credits: MeasureView = {
  label: 'Credits',
  total: totals => formatCredits(totals.credits),
  note: ({ estimated }) => (estimated === 0 ? 'spent' : `${formatCount(estimated)} by estimate`),
  addsUp: true,
  parts: [{ key: 'credits', label: 'Credits', color: PLAIN, read: figures => figures.credits }],
  whole: { label: 'Credits', read: figures => figures.credits },
  columns: [{ header: 'Credits', text: figures => formatCredits(figures.credits) }],
  tick: value => CREDITS_SHORT.format(value),
  value: value => formatCredits(value),
}

const requests: MeasureView = {
  label: 'Requests',
  total: totals => formatCount(totals.requests),
  note: totals => `${formatShare(totals.succeeded, totals.requests)} succeeded`,
  addsUp: true,
  parts: [
    { key: 'succeeded', label: 'Succeeded', color: 'var(--good)', read: figures => figures.succeeded },
    { key: 'cancelled', label: 'Cancelled', color: 'var(--muted)', read: figures => figures.cancelled },
    { key: 'failed', label: 'Failed', color: 'var(--bad)', read: figures => figures.failed },
  ],
  whole: { label: 'Requests', read: figures => figures.requests },
  columns: [
    { header: 'Requests', text: figures => formatCount(figures.requests) },
    { header: 'Succeeded', text: figures => formatCount(figures.succeeded) },
    { header: 'Cancelled', text: figures => formatCount(figures.cancelled) },
    { header: 'Failed', text: figures => formatCount(figures.failed) },
  ],
  tick: formatShortCount,
  value: formatCount,
}

const tokens: MeasureView = {
  label: 'Tokens',
  total: totals => formatShortCount(tokensOf(totals)),
  note: ({ usage }) => `${formatShortCount(usage.output)} of output`,
  addsUp: true,
  parts: [
    { key: 'input', read: ({ usage }: UsageFigures) => usage.input },
    { key: 'cache_read', read: ({ usage }: UsageFigures) => usage.cache_read },
    { key: 'cache_write', read: ({ usage }: UsageFigures) => usage.cache_write },
    { key: 'output', read: ({ usage }: UsageFigures) => usage.output },
  ].flatMap(({ key, read }) =>
    BUCKET_SERIES.filter(series => series.key === key).map(series => ({ ...series, read })),
  ),
  whole: null,
  columns: [
    { header: 'Input', text: ({ usage }) => formatCount(usage.input) },
    { header: 'Cache read', text: ({ usage }) => formatCount(usage.cache_read) },
    { header: 'Cache write', text: ({ usage }) => formatCount(usage.cache_write) },
    { header: 'Output', text: ({ usage }) => formatCount(usage.output) },
    { header: 'All', text: figures => formatCount(tokensOf(figures)) },
  ],
  tick: formatShortCount,
  value: formatCount,
}

const errors: MeasureView = {
  label: 'Error rate',
  total: totals => formatShare(totals.failed, totals.requests),
  note: ({ failed }) => `${formatCount(failed)} failed`,
  addsUp: false,
  parts: [{ key: 'errors', label: 'Error rate', color: 'var(--bad)', read: errorRate }],
  whole: { label: 'Error rate', read: errorRate },
  columns: [
    { header: 'Requests', text: figures => formatCount(figures.requests) },
    { header: 'Failed', text: figures => formatCount(figures.failed) },
    { header: 'Error rate', text: figures => formatShare(figures.failed, figures.requests) },
  ],
  tick: value => formatShare(value, 1),
  value: value => formatShare(value, 1),
}

function durations(label: string, field: 'latency_ms' | 'time_to_first_token_ms'): MeasureView {
  return {
    label,
    total: totals => formatDuration(totals[field]?.p50 ?? null),
    note: ({ [field]: measured }) =>
      measured === null ? 'nothing measured' : `95% within ${formatDuration(measured.p95)}`,
    addsUp: false,
    parts: [
      { key: 'p50', label: 'Median', color: PLAIN, read: figures => figures[field]?.p50 ?? undefined },
      {
        key: 'p95',
        label: '95th percentile',
        color: 'var(--bucket-input)',
        read: figures => figures[field]?.p95 ?? undefined,
      },
    ],
    whole: { label: `${label} on average`, read: figures => figures[field]?.average },
    columns: [
      { header: 'Average', text: figures => formatDuration(figures[field]?.average ?? null) },
      {
        header: 'Median',
        text: figures => formatDuration(figures[field]?.p50 ?? null),
        isOfAllAlone: true,
      },
      {
        header: '95th percentile',
        text: figures => formatDuration(figures[field]?.p95 ?? null),
        isOfAllAlone: true,
      },
    ],
    tick: formatDuration,
    value: formatDuration,
  }
}

export const MEASURE_VIEWS: Readonly<Record<Measure, MeasureView>> = {
  credits,
  requests,
  tokens,
  errors,
  latency: durations('Latency', 'latency_ms'),
  first_token: durations('First token', 'time_to_first_token_ms'),
}
