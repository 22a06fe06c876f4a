import { Link } from '@tanstack/react-router'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatShortCount, formatWeight } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'
import { BUCKETS } from '#web/usage/model-words.ts'
import { STATUS_WORDS } from './status-words.ts'

const COLUMNS: readonly Column<CatalogEntry>[] = [
  {
    header: 'Model',
    isName: true,
    className: 'sm:max-w-72',
    cell: model => (
      <span className="flex min-w-0 flex-col">
        <Link
          to="/models/$"
          params={{ _splat: model.id }}
          className="font-medium break-words hover:text-gold hover:underline"
        >
          {model.name}
        </Link>
        {model.name !== model.id && (
          <code className="font-mono text-xs font-normal break-all text-muted">{model.id}</code>
        )}
      </span>
    ),
  },
  {
    header: 'Status',
    cell: ({ status }) => <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].word}</Badge>,
  },
  {
    header: 'Context',
    align: 'end',
    cell: model => (model.context_window === null ? '–' : formatShortCount(model.context_window)),
  },
  ...BUCKETS.map(
    ({ bucket, label }): Column<CatalogEntry> => ({
      header: label,
      align: 'end',
      cell: model => formatWeight(model.weights[bucket]),
    }),
  ),
]

export function ModelTable({ models }: { readonly models: readonly CatalogEntry[] }) {
  return (
    <Table
      caption="Models with their weights in credits per million tokens"
      columns={COLUMNS}
      rows={models}
      rowKey={model => model.id}
    />
  )
}
