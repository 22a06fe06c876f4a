import { expect, test } from 'vitest'
import { readUsageSpan } from './usage-span.ts'

const NOW = Date.parse('2026-11-21T08:20:30Z')

function spanOf(query: { from?: string; to?: string; bucket?: 'hour' | 'day'; tz?: string }) {
  const span = readUsageSpan({ bucket: 'day', ...query }, NOW)
  if (!span.ok) return span.refusal.message
  return [new Date(span.value.fromMs).toISOString(), new Date(span.value.toMs).toISOString()]
}

test.each([
  ['a month of days without a word', {}, ['2026-10-22T00:00:00.000Z', '2026-11-22T00:00:00.000Z']],
  ['a day of hours', { bucket: 'hour' }, ['2026-11-20T08:00:00.000Z', '2026-11-21T09:00:00.000Z']],
  [
    'dates as days of UTC',
    { from: '2026-11-01', to: '2026-11-03' },
    ['2026-11-01T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
  ],
  [
    'moments of any offset, widened to whole hours',
    { bucket: 'hour', from: '2026-11-01T12:30:00+02:00', to: '2026-11-01T13:00:00.001+02:00' },
    ['2026-11-01T10:00:00.000Z', '2026-11-01T12:00:00.000Z'],
  ],
  [
    'days that begin where the caller is',
    { from: '2026-11-01T00:00:00+02:00', to: '2026-11-02T00:00:00+02:00', tz: '+02:00' },
    ['2026-10-31T22:00:00.000Z', '2026-11-01T22:00:00.000Z'],
  ],
  [
    'a plus sign that came as a space',
    { from: '2026-11-01T00:00:00+02:00', to: '2026-11-02T00:00:00+02:00', tz: ' 02:00' },
    ['2026-10-31T22:00:00.000Z', '2026-11-01T22:00:00.000Z'],
  ],
  [
    'days west of UTC',
    { from: '2026-11-01', to: '2026-11-02', tz: '-05:00' },
    ['2026-10-31T05:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ],
  [
    'hours of exactly as many days as there may be, from any minute',
    { bucket: 'hour', from: '2026-10-21T08:20:00Z', to: '2026-11-21T08:20:00Z' },
    ['2026-10-21T08:00:00.000Z', '2026-11-21T09:00:00.000Z'],
  ],
] as const)('reads %s', (_what, query, span) => {
  expect(spanOf(query)).toEqual(span)
})

test.each([
  ['an end before its beginning', { from: '2026-11-02', to: '2026-11-01' }, /to: must be after from/],
  ['a span of no length', { from: '2026-11-02', to: '2026-11-02' }, /to: must be after from/],
  ['a beginning that is to come', { from: '2027-01-01' }, /to: must be after from/],
  ['too many hours', { bucket: 'hour', from: '2026-10-01', to: '2026-11-21' }, /31 days .* bucket=day/],
  ['too many days', { from: '2024-01-01' }, /366 days/],
  ['too many days of another zone', { from: '2026-08-01', tz: '+01:00' }, /92 .* leave out tz/],
] as const)('refuses %s', (_what, query, said) => {
  expect(spanOf(query)).toMatch(said)
})
