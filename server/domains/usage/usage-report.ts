import type { UsageGroup, UsageGrouping, UsageReport, UsageRow } from '#contract/usage-report.ts'
import { rfc3339 } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import { nameGroups } from './group-names.ts'
import { addSums, NO_USAGE, subtractSums, toFigures } from './usage-figures.ts'
import { partOf, readCoarseSlice, readSlice } from './usage-slice.ts'
import { bucketMs, type UsageSpan } from './usage-span.ts'
import {
  type GroupedSums,
  readSums,
  type UsageFilter,
  type UsageSlice,
  type UsageSums,
} from './usage-sums.ts'

const MAX_LISTED_GROUPS = 100
/** So many rows are read and rendered in one go: the event loop never has much of it at a time. */
const ROWS_AT_A_TIME = 300

export type UsageQuestion = {
  readonly span: UsageSpan
  readonly filter: UsageFilter
  readonly groupBy: UsageGrouping | null
  /** How many groups have rows of their own. */
  readonly top: number
}

/** All of a report but its rows, which come in the order of time, a few at a time. */
export type UsageAnswer = Omit<UsageReport, 'data'> & { readonly rows: AsyncIterable<readonly UsageRow[]> }

/** What was used over a span, read from the roll-ups alone. */
export async function readUsage(
  storage: Pick<Storage, 'reports'>,
  { span, filter, groupBy, top }: UsageQuestion,
): Promise<UsageAnswer> {
  const whole = await readCoarseSlice(storage, span, filter)
  const listed =
    groupBy === null
      ? []
      : await readSums(storage, whole, { groupBy, histograms: true, limit: MAX_LISTED_GROUPS + 1 })
  const isComplete = groupBy !== null && listed.length <= MAX_LISTED_GROUPS
  const totals = isComplete ? sumOf(listed) : await readTotals(storage, whole)
  const groups = listed.slice(0, MAX_LISTED_GROUPS)
  const names = await nameGroups(
    storage,
    groupBy,
    groups.map(({ group }) => group ?? ''),
  )
  const own = groups.slice(0, top).map(({ group }) => group ?? '')
  return {
    object: 'list',
    from: rfc3339(span.fromMs),
    to: rfc3339(span.toMs),
    bucket: span.bucket,
    group_by: groupBy,
    totals: toFigures(totals),
    groups: [
      ...groups.map(sums => ({ ...names(sums.group), ...toFigures(sums) })),
      ...(isComplete || groupBy === null ? [] : [others(subtractSums(totals, sumOf(groups)))]),
    ],
    next_cursor: null,
    rows: readRows(storage, await readSlice(storage, span, filter), { span, groupBy, own, names }),
  }
}

async function readTotals(storage: Pick<Storage, 'reports'>, slice: UsageSlice): Promise<UsageSums> {
  const [totals = NO_USAGE] = await readSums(storage, slice, { groupBy: null, histograms: true })
  return totals
}

function sumOf(parts: readonly UsageSums[]): UsageSums {
  return parts.reduce(addSums, NO_USAGE)
}

function others(sums: UsageSums): UsageGroup {
  return { others: true, ...toFigures(sums) }
}

type RowOptions = {
  readonly span: UsageSpan
  readonly groupBy: UsageGrouping | null
  /** The groups that have rows of their own. */
  readonly own: readonly string[]
  readonly names: (group: string | null) => Partial<UsageGroup>
}

async function* readRows(
  storage: Pick<Storage, 'reports'>,
  slice: UsageSlice,
  { span, groupBy, own, names }: RowOptions,
): AsyncGenerator<readonly UsageRow[]> {
  const length = bucketMs(span)
  const step = length * Math.max(1, Math.floor(ROWS_AT_A_TIME / (own.length + 1)))
  const toRow = (sums: GroupedSums): UsageRow => ({
    object: 'usage',
    from: rfc3339(sums.startedAt),
    to: rfc3339(sums.startedAt + length),
    ...(groupBy === null ? {} : sums.group === null ? { others: true } : names(sums.group)),
    ...toFigures(sums),
  })
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += step) {
    const part = partOf(slice, fromMs, fromMs + step)
    const by = { lengthMs: length, offsetMs: span.offsetMs }
    const rows = await readSums(
      storage,
      part,
      groupBy === null ? { groupBy, by, histograms: true } : { groupBy, by, histograms: false, only: own },
    )
    const inOrder = rows.sort((a, b) => a.startedAt - b.startedAt || b.requests - a.requests)
    if (inOrder.length > 0) yield inOrder.map(toRow)
  }
}
