import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Model } from '#web/api/admin/models.ts'
import { allProvidersQuery } from '#web/api/admin/providers.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCount, formatShare, formatWeight } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { ceilingWords, orderWords } from './routing-words.ts'

type Route = Model['routes'][number]

/** Where a model is served, in the order in which its routes go. */
export function RoutesTable({ model }: { readonly model: Model }) {
  const providers = useQuery(allProvidersQuery)
  const providerOf = new Map(providers.data?.data.map(provider => [provider.id, provider]))
  const routes = model.routes.toSorted((a, b) => a.priority - b.priority)
  const shareOf = ({ priority, weight }: Route) => {
    const equals = routes.filter(route => route.priority === priority)
    return formatShare(
      weight,
      equals.reduce((sum, route) => sum + route.weight, 0),
    )
  }
  const columns: readonly Column<Route>[] = [
    {
      header: 'Provider',
      isName: true,
      cell: ({ provider_id: id }) => (
        <span className="flex flex-wrap items-center gap-2">
          <Link to="/providers/$providerId" params={{ providerId: id }} className={textLinkClasses}>
            {providerOf.get(id)?.name ?? id}
          </Link>
          {providerOf.get(id)?.enabled === false && <Badge tone="warn">Paused</Badge>}
        </span>
      ),
    },
    { header: 'Model there', className: 'break-all', cell: route => route.upstream_model },
    { header: 'Order', align: 'end', cell: ({ priority }) => formatCount(priority) },
    { header: 'Share', align: 'end', cell: shareOf },
    { header: 'Cost', align: 'end', cell: ({ cost }) => (cost === null ? '–' : formatWeight(cost)) },
  ]
  if (routes.length === 0)
    return <p className="text-sm text-muted">None. Until it has one, the model answers 503.</p>
  return (
    <>
      <Table caption="Routes" columns={columns} rows={routes} rowKey={({ id }) => id} />
      <p className="mt-4 text-sm text-muted">
        Lower orders go first. Among routes of one order: {orderWords(model.routing)}.{' '}
        {ceilingWords(model.routing)}
      </p>
    </>
  )
}
