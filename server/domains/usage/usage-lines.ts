import type { UsageGrouping } from '#contract/usage-report.ts'
import { rfc3339 } from '#lib/clock.ts'
import { csvLine } from '#lib/csv.ts'
import { decimalOfScaled, MICRO_DECIMALS } from '#lib/money.ts'
import type { Storage } from '#storage/storage.ts'
import { nameGroups } from './group-names.ts'
import { unhurried } from './unhurried.ts'
import { toFigures } from './usage-figures.ts'
import type { UsageQuestion } from './usage-report.ts'
import { partOf, readSlice } from './usage-slice.ts'
import { bucketMs } from './usage-span.ts'
import { type GroupedSums, readSums } from './usage-sums.ts'

const FIGURES = [
  'requests',
  'succeeded',
  'failed',
  'cancelled',
  'failed_invalid',
  'failed_throttled',
  'failed_upstream',
  'failed_timeout',
  'failed_service',
  'estimated',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'credits',
  'latency_average_ms',
  'latency_p50_ms',
  'latency_p95_ms',
  'first_token_average_ms',
  'first_token_p50_ms',
  'first_token_p95_ms',
]

const HOURS_OR_DAYS_AT_A_TIME = 24

type LinesQuestion = Omit<UsageQuestion, 'top'>

/** Usage as the lines of a CSV file, in the order of time below a line of names: every group has lines of its own. */
export async function* usageLines(
  storage: Pick<Storage, 'reports'>,
  question: LinesQuestion,
): AsyncGenerator<string> {
  const { groupBy, span } = question
  yield csvLine(['from', 'to', ...(groupBy === null ? [] : [groupBy, 'name']), ...FIGURES])
  for await (const sums of unhurried(readAll(storage, question))) {
    const names = await nameGroups(storage, groupBy, [...new Set(sums.map(({ group }) => group ?? ''))])
    yield sums
      .map(row => toLine(row, { groupBy, length: bucketMs(span), name: names(row.group).label ?? null }))
      .join('')
  }
}

async function* readAll(
  storage: Pick<Storage, 'reports'>,
  { span, filter, groupBy }: LinesQuestion,
): AsyncGenerator<GroupedSums[]> {
  const slice = await readSlice(storage, span, filter)
  const length = bucketMs(span)
  const by = { lengthMs: length, offsetMs: span.offsetMs }
  const step = length * HOURS_OR_DAYS_AT_A_TIME
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += step) {
    const rows = await readSums(storage, partOf(slice, fromMs, fromMs + step), {
      groupBy,
      by,
      histograms: true,
    })
    const order = (a: GroupedSums, b: GroupedSums) =>
      a.startedAt - b.startedAt || ((a.group ?? '') < (b.group ?? '') ? -1 : 1)
    if (rows.length > 0) yield rows.sort(order)
  }
}

type LineOptions = {
  readonly groupBy: UsageGrouping | null
  readonly length: number
  readonly name: string | null
}

function toLine(sums: GroupedSums, { groupBy, length, name }: LineOptions): string {
  const {
    failures,
    usage,
    latency_ms: latency,
    time_to_first_token_ms: firstToken,
    ...figures
  } = toFigures(sums)
  return csvLine([
    rfc3339(sums.startedAt),
    rfc3339(sums.startedAt + length),
    ...(groupBy === null ? [] : [sums.group, name]),
    figures.requests,
    figures.succeeded,
    figures.failed,
    figures.cancelled,
    failures.invalid,
    failures.throttled,
    failures.upstream,
    failures.timeout,
    failures.service,
    figures.estimated,
    usage.input,
    usage.cache_read,
    usage.cache_write,
    usage.output,
    decimalOfScaled(sums.chargeMicros, MICRO_DECIMALS),
    latency?.average ?? null,
    latency?.p50 ?? null,
    latency?.p95 ?? null,
    firstToken?.average ?? null,
    firstToken?.p50 ?? null,
    firstToken?.p95 ?? null,
  ])
}
