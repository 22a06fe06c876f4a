import { describe, expect, test } from 'vitest'
import { dayOf, offsetText, readSpan } from './usage-span.ts'

const HOUR = 3_600_000
/** Half past one at night where clocks show two hours more than UTC. */
const HERE = { nowMs: Date.parse('2026-06-15T23:30:00Z'), offsetMs: 2 * HOUR }

describe('the span that is asked for', () => {
  test.each([
    ['nothing', {}, '2026-05-17T22:00:00.000Z', 'day', '+02:00'],
    ['7 days', { range: '7d' }, '2026-06-09T22:00:00.000Z', 'day', '+02:00'],
    ['24 hours', { range: '24h' }, '2026-06-15T00:00:00.000Z', 'hour', undefined],
    ['30 days by hours', { range: '30d', bucket: 'hour' }, '2026-05-17T22:00:00.000Z', 'hour', undefined],
    [
      '90 days, of which hours are too many',
      { range: '90d', bucket: 'hour' },
      '2026-03-18T00:00:00.000Z',
      'day',
      undefined,
    ],
  ] as const)(
    'by %s begins with a whole day or hour, and ends with the hour that runs',
    (_name, search, from, bucket, tz) => {
      const span = { from, to: '2026-06-16T00:00:00.000Z', bucket, ...(tz ? { tz } : {}) }
      expect(
        readSpan({ from: undefined, to: undefined, range: undefined, bucket: undefined, ...search }, HERE),
      ).toEqual({
        ok: true,
        span,
      })
    },
  )

  test('by days of one’s own holds the whole of both', () => {
    expect(custom('2026-06-01', '2026-06-02')).toEqual({
      ok: true,
      span: { from: '2026-05-31T22:00:00.000Z', to: '2026-06-02T22:00:00.000Z', bucket: 'day', tz: '+02:00' },
    })
  })

  test('longer than a month has days as UTC has them', () => {
    expect(custom('2026-01-01', '2026-06-01')).toEqual({
      ok: true,
      span: { from: '2026-01-01T00:00:00.000Z', to: '2026-06-02T00:00:00.000Z', bucket: 'day' },
    })
  })

  test.each([
    ['2026-06-02', '2026-06-01', /after the last/],
    ['2025-06-01', '2026-06-15', /366 days/],
    ['2026-07-01', '2026-07-02', /still to come/],
  ])('is none from %s to %s, and it is said why', (from, to, problem) => {
    expect(custom(from, to)).toEqual({ ok: false, problem: expect.stringMatching(problem) })
  })
})

function custom(from: string, to: string) {
  return readSpan({ range: 'custom', from, to, bucket: undefined }, HERE)
}

test('a day is that of the reader', () => {
  expect(dayOf(HERE.nowMs, HERE.offsetMs)).toBe('2026-06-16')
  expect([offsetText(2 * HOUR), offsetText(-11 * HOUR)]).toEqual(['+02:00', '-11:00'])
})
