import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Provider, providerQuery } from '#web/api/admin/providers.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ManagedNotice, useManaged } from '../catalog/managed.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { ConnectionPanel } from '../providers/connection-panel.tsx'
import { HealthPanel } from '../providers/health-panel.tsx'
import { HistoryPanel } from '../providers/history-panel.tsx'
import { ProviderActions } from '../providers/provider-actions.tsx'
import { ProviderState } from '../providers/provider-state.tsx'

const route = getRouteApi('/signed-in/providers/$providerId/')

export function ProviderPage() {
  const { providerId } = route.useParams()
  const provider = useQuery(providerQuery(providerId))
  const isMissing = provider.error?.status === 404
  return (
    <>
      <BackLink to="/providers">All providers</BackLink>
      {provider.isPending && (
        <div role="status" aria-label="Loading the provider" className="flex flex-col gap-6">
          <Skeleton className="h-8 w-64" />
          <Skeleton className="h-64" />
        </div>
      )}
      {isMissing && (
        <EmptyState title="There is no such provider" isPage>
          It may have been taken away.
        </EmptyState>
      )}
      {!isMissing && <QueryFailure query={provider} title="The provider could not be loaded" />}
      {provider.data && <ProviderDetail provider={provider.data} />}
    </>
  )
}

function ProviderDetail({ provider }: { readonly provider: Provider }) {
  const isManaged = useManaged('provider')(provider.id)
  return (
    <>
      <PageHeader title={provider.name} action={!isManaged && <ProviderActions provider={provider} />} />
      <div className="-mt-4 mb-8">
        <ProviderState provider={provider} />
      </div>
      {isManaged && <ManagedNotice what="This provider" />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <ConnectionPanel provider={provider} />
        <HealthPanel provider={provider} />
        <HistoryPanel provider={provider} />
        <Panel title="Its models" className="lg:col-span-2">
          <p className="mb-4 text-sm text-muted">
            Ask the provider which models it has, and take those into the catalogue that you want to offer.
          </p>
          <ForOperators>
            <Link
              to="/providers/$providerId/models"
              params={{ providerId: provider.id }}
              className={buttonClasses({ look: 'primary' })}
            >
              Discover models
            </Link>
          </ForOperators>
        </Panel>
      </div>
    </>
  )
}
