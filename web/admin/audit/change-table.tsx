import { type Column, Table } from '#web/ui/table.tsx'
import { changedFields, type FieldChange } from './changed-fields.ts'

const COLUMNS: readonly Column<FieldChange>[] = [
  {
    header: 'Field',
    isName: true,
    cell: ({ field }) => <code className="font-mono break-all">{field}</code>,
  },
  { header: 'Before', className: 'break-all', cell: change => change.before },
  { header: 'After', className: 'break-all', cell: change => change.after },
]

/** What a change changed. */
export function ChangeTable({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const changes = changedFields(before, after)
  if (changes.length === 0) return <p className="text-sm text-muted">The record tells no difference.</p>
  return <Table caption="What changed" columns={COLUMNS} rows={changes} rowKey={({ field }) => field} />
}
