import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** The number only tells rows apart: it stays when others come and go. */
export type NumberedRow = { readonly row: number }

export type RowListProps<Row extends NumberedRow> = {
  readonly rows: readonly Row[]
  readonly most: number
  readonly titleOf: (row: Row, index: number) => string
  /** The fields of a row; `change` puts another one in its place. */
  readonly fieldsOf: (row: Row, change: (row: Row) => void, index: number) => ReactNode
  readonly onChange: (rows: readonly Row[]) => void
  readonly addLabel: string
  readonly onAdd: () => void
  readonly mayAdd?: boolean
}

/** Things of one kind, each with fields of its own, that can be added and removed. The focus goes along. */
export function RowList<Row extends NumberedRow>({
  rows,
  most,
  titleOf,
  fieldsOf,
  onChange,
  addLabel,
  onAdd,
  mayAdd = true,
}: RowListProps<Row>) {
  const list = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const done = useRef<'added' | 'removed' | null>(null)
  const count = rows.length
  useEffect(() => {
    if (done.current === 'added' && count > 0) {
      const newest = list.current?.querySelector(':scope > fieldset:last-of-type')
      newest?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    }
    // The button that was pressed is gone, and the focus would be with it. In a full list this one rests until now.
    if (done.current === 'removed') addButton.current?.focus()
    done.current = null
  }, [count])
  const remove = (index: number) => {
    done.current = 'removed'
    onChange(rows.toSpliced(index, 1))
  }
  return (
    <div ref={list} className="flex flex-col gap-5">
      {rows.map((row, index) => {
        const title = titleOf(row, index)
        return (
          <fieldset key={row.row} className="flex flex-col gap-4 rounded-md border border-line p-4">
            <legend className="max-w-full px-1 text-sm font-medium break-words">{title}</legend>
            {fieldsOf(row, changed => onChange(rows.with(index, changed)), index)}
            <div>
              <Button look="quiet" size="small" onClick={() => remove(index)} aria-label={`Remove ${title}`}>
                <Trash2 className="size-4" aria-hidden="true" />
                Remove
              </Button>
            </div>
          </fieldset>
        )
      })}
      <div>
        <Button
          ref={addButton}
          size="small"
          disabled={!mayAdd || count >= most}
          onClick={() => {
            done.current = 'added'
            onAdd()
          }}
        >
          <Plus className="size-4" aria-hidden="true" />
          {addLabel}
        </Button>
      </div>
    </div>
  )
}
