import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Discovery,
  discoverModels,
  PROVIDERS,
  type Provider,
  providerQuery,
} from '#web/api/admin/providers.ts'
import { settingsQuery } from '#web/api/admin/settings.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { DiscoveredTable } from '../providers/discovered-table.tsx'
import { ImportForm } from '../providers/import-form.tsx'
import { findModels } from '../providers/imported-model.ts'
import { Verdict } from '../providers/verdict.tsx'

const route = getRouteApi('/signed-in/providers/$providerId/models')

/** The most models that are taken in at a time. */
const MOST = 200

export function DiscoverPage() {
  const { providerId } = route.useParams()
  const provider = useQuery(providerQuery(providerId))
  const discovery = useQuery({
    queryKey: [...PROVIDERS, providerId, 'discovery'],
    queryFn: () => discoverModels(providerId),
    // The provider is asked when somebody wants it, not whenever the window is looked at again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <>
      <BackLink to="/providers/$providerId" params={{ providerId }}>
        {provider.data?.name ?? 'The provider'}
      </BackLink>
      <PageHeader
        title="Discover models"
        action={
          discovery.data && (
            <Button pending={discovery.isFetching} onClick={() => void discovery.refetch()}>
              Ask again
            </Button>
          )
        }
      >
        What {provider.data?.name ?? 'the provider'} tells of its models, beside their list prices for a
        million tokens.
      </PageHeader>
      {discovery.isPending && <SkeletonRows rows={6} label="Asking the provider for its models" />}
      <QueryFailure query={discovery} title="The models could not be discovered" />
      {discovery.data && !discovery.data.ok && <Verdict test={discovery.data} />}
      {discovery.data?.ok && provider.data && <Choice provider={provider.data} discovery={discovery.data} />}
    </>
  )
}

type ChoiceProps = { readonly provider: Provider; readonly discovery: Discovery }

function Choice({ provider, discovery: { models, message } }: ChoiceProps) {
  const settings = useQuery(settingsQuery)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const found = findModels(models, search)
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name) && next.size < MOST) next.add(name)
    setChosen(next)
  }
  if (models.length === 0) return <EmptyState title="The provider has no models">{message}</EmptyState>
  return (
    <div className="flex flex-col gap-6">
      <p role="status" className="text-sm text-muted">
        {message}
      </p>
      <div className="max-w-md">
        <TextField
          name="search"
          label="Search"
          type="search"
          value={search}
          onValueChange={setSearch}
          autoComplete="off"
        />
      </div>
      {found.length === 0 ? (
        <EmptyState title="No model fits">Take a word out of the search.</EmptyState>
      ) : (
        <DiscoveredTable models={found} chosen={chosen} onToggle={toggle} />
      )}
      {settings.data && (
        <Panel title="Import">
          <ImportForm
            provider={provider}
            chosen={models.filter(model => chosen.has(model.upstream_model))}
            pricing={settings.data.pricing}
          />
        </Panel>
      )}
    </div>
  )
}
