/** One line or layer of a chart. */
export type Series = {
  readonly key: string
  readonly label: string
  /** A colour of the theme, such as `var(--gold)`. */
  readonly color: string
}

/**
 * What a chart shows of one moment or span. The numbers are for drawing alone: texts come from exact ones. A series
 * without a value has nothing to show there, which is not the same as 0.
 */
export type ChartPoint = {
  /** Names the point to the eye, such as `21 Nov`. */
  readonly label: string
  readonly values: Readonly<Record<string, number | undefined>>
}

/** Colours of series that stand for nothing in particular, such as models: told apart in both themes. */
export const SERIES_COLORS = [
  'var(--bucket-output)',
  'var(--bucket-input)',
  'var(--bucket-cache-read)',
  'var(--bucket-cache-write)',
  'var(--muted)',
] as const

/** The four buckets of tokens, as every chart has them. */
export const BUCKET_SERIES: readonly Series[] = [
  { key: 'input', label: 'Input', color: 'var(--bucket-input)' },
  { key: 'cache_read', label: 'Cache read', color: 'var(--bucket-cache-read)' },
  { key: 'cache_write', label: 'Cache write', color: 'var(--bucket-cache-write)' },
  { key: 'output', label: 'Output', color: 'var(--bucket-output)' },
]
