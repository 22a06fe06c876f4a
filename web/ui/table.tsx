import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Column<Row> = {
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the end, so that their digits line up. */
  readonly align?: 'end'
  /** What a row is called: it names the row to a screen reader, and heads its card on a phone. */
  readonly isName?: boolean
  /** Read aloud, but not written over the column: for a column of buttons. */
  readonly hideHeader?: boolean
  readonly className?: string
}

export type TableProps<Row> = {
  /** What the table holds, read aloud. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
}

/**
 * Rows and columns; on a phone each row becomes a card of labelled lines. The roles are written out because browsers
 * forget those of a table whose parts are laid out as anything else.
 */
export function Table<Row>({ caption, columns, rows, rowKey }: TableProps<Row>) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table role="table" className="w-full border-collapse text-sm max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row" className="border-b border-line text-left text-muted">
          {columns.map(column => (
            <th
              key={column.header}
              role="columnheader"
              scope="col"
              className={classNames(
                'px-3 py-2.5 font-medium whitespace-nowrap first:pl-0 last:pr-0',
                endOf(column),
              )}
            >
              {column.hideHeader ? <span className="sr-only">{column.header}</span> : column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:flex max-sm:flex-col max-sm:gap-3">
        {rows.map(row => (
          <tr
            key={rowKey(row)}
            role="row"
            className="border-b border-line max-sm:relative max-sm:block max-sm:rounded-lg max-sm:border max-sm:bg-surface max-sm:p-4 sm:last:border-0"
          >
            {columns.map(column => (
              <Cell key={column.header} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}

const endOf = ({ align }: Pick<Column<never>, 'align'>) => align === 'end' && 'sm:text-right figures'

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const Element = column.isName ? 'th' : 'td'
  const showsLabel = !column.isName && !column.hideHeader
  return (
    <Element
      role={column.isName ? 'rowheader' : 'cell'}
      scope={column.isName ? 'row' : undefined}
      className={classNames(
        'px-3 py-3 text-left align-middle font-normal first:pl-0 last:pr-0',
        'max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:px-0 max-sm:py-1',
        column.isName && 'max-sm:pr-10 max-sm:pb-2 max-sm:font-semibold',
        column.hideHeader && 'max-sm:absolute max-sm:top-2.5 max-sm:right-3',
        endOf(column),
        column.className,
      )}
    >
      {showsLabel && (
        <span aria-hidden="true" className="shrink-0 text-muted sm:hidden">
          {column.header}
        </span>
      )}
      {showsLabel ? <span className="min-w-0 max-sm:text-right">{column.cell(row)}</span> : column.cell(row)}
    </Element>
  )
}
