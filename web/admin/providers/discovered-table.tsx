import { Link } from '@tanstack/react-router'
import type { DiscoveredModel } from '#contract/provider-models.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCount, formatWeight } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

export type DiscoveredTableProps = {
  readonly models: readonly DiscoveredModel[]
  /** Upstream names of those that are to be taken. */
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (upstreamModel: string) => void
}

/** The models that a provider has, to choose from. */
export function DiscoveredTable({ models, chosen, onToggle }: DiscoveredTableProps) {
  const columns: readonly Column<DiscoveredModel>[] = [
    {
      header: 'Model',
      isName: true,
      cell: ({ upstream_model, name }) => (
        <label className="flex cursor-pointer items-start gap-3">
          <input
            type="checkbox"
            className="mt-1 size-4 shrink-0 accent-gold-fill"
            checked={chosen.has(upstream_model)}
            onChange={() => onToggle(upstream_model)}
          />
          <span className="min-w-0">
            <span className="block font-mono break-all">{upstream_model}</span>
            {name !== null && <span className="block font-normal text-muted">{name}</span>}
          </span>
        </label>
      ),
    },
    { header: 'Serves', cell: ({ endpoints }) => endpoints.join(', ') },
    {
      header: 'Context',
      align: 'end',
      cell: model => (model.context_window === null ? '–' : formatCount(model.context_window)),
    },
    {
      header: 'List price, USD',
      align: 'end',
      cell: ({ list_price }) =>
        list_price === null ? (
          <span className="text-muted">Not listed</span>
        ) : (
          `${formatWeight(list_price.input)} in, ${formatWeight(list_price.output)} out`
        ),
    },
    {
      header: 'In the catalogue',
      cell: ({ models: ids }) =>
        ids.length === 0 ? (
          <Badge>Not yet</Badge>
        ) : (
          ids.map(id => (
            <Link
              key={id}
              to="/models/$"
              params={{ _splat: id }}
              className={`${textLinkClasses} block break-all`}
            >
              {id}
            </Link>
          ))
        ),
    },
  ]
  return (
    <Table
      caption="Models of the provider"
      columns={columns}
      rows={models}
      rowKey={model => model.upstream_model}
    />
  )
}
