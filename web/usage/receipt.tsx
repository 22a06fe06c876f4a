import type { ReactNode } from 'react'
import type { RequestReceipt, UsageSource } from '#contract/usage.ts'
import { formatCount, formatDecimal } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'

type Line = RequestReceipt['lines'][number]

const ITEMS: Readonly<Record<Line['item'], string>> = {
  input: 'Input tokens',
  cache_read: 'Cache read tokens',
  cache_write: 'Cache write tokens',
  cache_write_1h: 'Cache write tokens, kept for an hour',
  output: 'Output tokens',
  image: 'Images',
  second: 'Seconds of sound',
  search: 'Searches',
  character: 'Characters',
}

const SOURCES: Readonly<Record<UsageSource, string>> = {
  upstream: 'The counts are those that the upstream reported.',
  request: 'The counts were taken from the request itself.',
  estimate: 'The counts are an estimate, since the upstream reported none.',
}

const COLUMNS: readonly Column<Line>[] = [
  { header: 'Of what', isName: true, cell: ({ item }) => ITEMS[item] },
  { header: 'Count', align: 'end', cell: ({ count }) => formatCount(count) },
  { header: 'Weight', align: 'end', cell: ({ weight }) => `× ${formatDecimal(weight)}` },
  { header: 'Per', align: 'end', cell: ({ per }) => `÷ ${formatCount(per)}` },
  { header: 'Credits', align: 'end', cell: ({ credits }) => `= ${formatDecimal(credits)}` },
]

export type ReceiptProps = {
  readonly receipt: RequestReceipt
  /** What the charge left of the balance, and where it stands on the ledger. */
  readonly children?: ReactNode
}

/** How a charge came about, so that it can be checked by hand: no number is rounded but the last. */
export function Receipt({ receipt, children }: ReceiptProps) {
  const { lines, sum, charged, usage_source: source } = receipt
  return (
    <>
      <Table
        caption="Counts and weights of the charge"
        columns={COLUMNS}
        rows={lines}
        rowKey={({ item }) => item}
      />
      <dl className="mt-4 grid grid-cols-[1fr_auto] gap-x-6 gap-y-1.5 border-t border-field-line pt-4 text-sm">
        <dt className="text-muted">Sum</dt>
        <dd className="figures text-right">{formatDecimal(sum)}</dd>
        <dt className="font-semibold">Charged, rounded up to a millionth</dt>
        <dd className="figures text-right font-semibold">{formatDecimal(charged)}</dd>
      </dl>
      <div className="mt-5 flex flex-col gap-1 text-sm text-muted">
        {source !== null && <p>{SOURCES[source]}</p>}
        {children}
      </div>
    </>
  )
}
