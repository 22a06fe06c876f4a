import { useState } from 'react'
import { Button } from '../button.tsx'
import { formatCount } from '../numbers.ts'
import { Sideways } from '../sideways.tsx'
import { Table, type TableProps } from '../table.tsx'

export type ChartTableProps<Row> = TableProps<Row> & {
  /** What the numbers are of, in lower case. */
  readonly of: string
  /** How many are shown at first, and how many more each time. */
  readonly rowsAtATime: number
}

/** What a chart draws, in exact numbers: the rows from first to last, shown from the last on, so many at a time. */
export function ChartTable<Row>({ of, rowsAtATime, rows, ...table }: ChartTableProps<Row>) {
  const [shown, setShown] = useState(rowsAtATime)
  const left = rows.length - shown
  return (
    <>
      <Sideways label={`Numbers of ${of}`}>
        <Table {...table} rows={rows.toReversed().slice(0, shown)} />
      </Sideways>
      {left > 0 && (
        <div className="flex items-center gap-3 text-sm text-muted">
          <Button size="small" onClick={() => setShown(shown + rowsAtATime)}>
            Show more
          </Button>
          {formatCount(left)} earlier
        </div>
      )}
    </>
  )
}
