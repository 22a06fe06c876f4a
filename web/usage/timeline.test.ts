import { expect, test } from 'vitest'
import type { UsageFigures, UsageReport, UsageRow } from '#contract/usage-report.ts'
import { MEASURE_VIEWS } from './measures.ts'
import { drawReport, listMoments, nameMoments, offsetOfDays } from './timeline.ts'

const HOUR = 3_600_000

function figures(requests: number): UsageFigures {
  return {
    requests,
    succeeded: requests - 1,
    failed: 1,
    cancelled: 0,
    failures: { invalid: 1, throttled: 0, upstream: 0, timeout: 0, service: 0 },
    estimated: 0,
    usage: { input: requests * 10, cache_read: 0, cache_write: 0, output: requests },
    credits: requests / 4,
    latency_ms: { average: 100, p50: 90, p95: 200 },
    time_to_first_token_ms: null,
  }
}

function row(day: string, model: string | null, requests: number): UsageRow {
  const group = model === null ? { others: true as const } : { model, label: model }
  return { object: 'usage', from: `${day}T22:00:00.000Z`, to: '', ...group, ...figures(requests) }
}

const MODELS = ['a', 'b', 'c', 'd', 'e']
const REPORT: UsageReport = {
  object: 'list',
  from: '2026-06-12T22:00:00.000Z',
  to: '2026-06-15T22:00:00.000Z',
  bucket: 'day',
  group_by: 'model',
  totals: figures(9),
  groups: MODELS.map(model => ({ model, label: model, ...figures(2) })),
  data: [row('2026-06-12', 'a', 4), row('2026-06-12', null, 2), row('2026-06-14', 'b', 3)],
  next_cursor: null,
}

const name = nameMoments(REPORT, offsetOfDays(REPORT, 2 * HOUR))
const draw = (measure: keyof typeof MEASURE_VIEWS, report = REPORT) =>
  drawReport(report, MEASURE_VIEWS[measure], name)

test('days without requests are drawn too, by the dates that the reader has', () => {
  expect(listMoments(REPORT)).toHaveLength(3)
  expect(draw('requests').points.map(({ label }) => label)).toEqual(['13 Jun', '14 Jun', '15 Jun'])
})

test('what adds up stands on each other by group, those without a line of their own as one', () => {
  const { series, points } = draw('requests')
  expect(series.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'All others'])
  expect(points.map(({ values }) => [values['=a'], values['=b'], values.others])).toEqual([
    [4, 0, 2],
    [0, 0, 0],
    [0, 3, 0],
  ])
})

test('tokens are drawn by their four buckets, over all groups', () => {
  const { series, points } = draw('tokens')
  expect(series.map(({ label }) => label)).toEqual(['Input', 'Cache read', 'Cache write', 'Output'])
  expect(points[0]?.values).toMatchObject({ input: 60, output: 6 })
})

test('where nothing was measured there is no line, which is not the same as 0', () => {
  expect(draw('errors').points.map(({ values }) => values['=a'])).toEqual([0.25, undefined, undefined])
  expect(draw('first_token').points[0]?.values['=a']).toBeUndefined()
})
