import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Provider, providersQuery } from '#web/api/admin/providers.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { notify } from '#web/ui/toast.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { ManagedBadge, useManaged } from '../catalog/managed.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { kindLabel } from '../providers/kind-words.ts'
import { ProviderForm } from '../providers/provider-form.tsx'
import { ProviderState } from '../providers/provider-state.tsx'

export function ProvidersPage() {
  const [adding, setAdding] = useState(false)
  const navigate = useNavigate()
  const pages = useCursorPages()
  const providers = useQuery({
    ...providersQuery({ cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  const add = (
    <ForOperators>
      <Button look="primary" onClick={() => setAdding(true)}>
        <Plus className="size-4" aria-hidden="true" />
        Add provider
      </Button>
    </ForOperators>
  )
  return (
    <>
      <PageHeader title="Providers" action={add}>
        The upstream servers that answer. Models have routes to them.
      </PageHeader>
      <ListPage
        what="providers"
        query={providers}
        pages={pages}
        empty={
          <EmptyState title="No providers yet" action={add}>
            Add one by its base URL and a credential, then take its models into the catalogue.
          </EmptyState>
        }
      >
        {rows => <ProviderTable providers={rows} />}
      </ListPage>
      <Dialog
        open={adding}
        onOpenChange={setAdding}
        keepsOpen
        title="Add provider"
        description="Test the connection before you save it: it costs nothing."
      >
        <ProviderForm
          provider={null}
          onSaved={({ id, name }) => {
            setAdding(false)
            notify('Provider added', `${name} can be asked for its models now.`)
            void navigate({ to: '/providers/$providerId', params: { providerId: id } })
          }}
        />
      </Dialog>
    </>
  )
}

function ProviderTable({ providers }: { readonly providers: readonly Provider[] }) {
  const isManaged = useManaged('provider')
  const columns: readonly Column<Provider>[] = [
    {
      header: 'Name',
      isName: true,
      cell: ({ id, name }) => (
        <Link to="/providers/$providerId" params={{ providerId: id }} className={textLinkClasses}>
          {name}
        </Link>
      ),
    },
    { header: 'Kind', cell: ({ kind }) => kindLabel(kind) },
    { header: 'Address', className: 'break-all', cell: provider => provider.base_url },
    {
      header: 'State',
      cell: provider => (
        <span className="flex flex-wrap gap-2">
          <ProviderState provider={provider} />
          {isManaged(provider.id) && <ManagedBadge />}
        </span>
      ),
    },
  ]
  return <Table caption="Providers" columns={columns} rows={providers} rowKey={({ id }) => id} />
}
