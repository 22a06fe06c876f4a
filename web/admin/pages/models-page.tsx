import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Model, modelsQuery } from '#web/api/admin/models.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { formatCount, formatWeight } from '#web/ui/numbers.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { notify } from '#web/ui/toast.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { ManagedBadge, useManaged } from '../catalog/managed.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { ModelForm } from '../models/model-form.tsx'
import { ModelState } from '../models/model-state.tsx'

export function ModelsPage() {
  const [adding, setAdding] = useState(false)
  const navigate = useNavigate()
  const pages = useCursorPages()
  const models = useQuery({
    ...modelsQuery({ cursor: pages.cursor, limit: 50 }),
    placeholderData: keepPreviousData,
  })
  const add = (
    <ForOperators>
      <Button look="primary" onClick={() => setAdding(true)}>
        <Plus className="size-4" aria-hidden="true" />
        Add model
      </Button>
    </ForOperators>
  )
  return (
    <>
      <PageHeader title="Models" action={add}>
        What can be asked for, what it weighs, and where it is served. Whole lists come in from a provider's
        page.
      </PageHeader>
      <ListPage
        what="models"
        query={models}
        pages={pages}
        empty={
          <EmptyState title="No models yet" action={add}>
            Take them in from a <Link to="/providers">provider</Link>, or add one by hand.
          </EmptyState>
        }
      >
        {rows => <ModelTable models={rows} />}
      </ListPage>
      <Dialog
        open={adding}
        onOpenChange={setAdding}
        keepsOpen
        title="Add model"
        description="It comes into service once it has weights and a route, and is enabled."
      >
        <ModelForm
          model={null}
          onSaved={({ id }) => {
            setAdding(false)
            notify('Model added', 'Give it weights and a route next.')
            void navigate({ to: '/models/$', params: { _splat: id } })
          }}
        />
      </Dialog>
    </>
  )
}

function ModelTable({ models }: { readonly models: readonly Model[] }) {
  const isManaged = useManaged('model')
  const columns: readonly Column<Model>[] = [
    {
      header: 'Model',
      isName: true,
      cell: ({ id, name }) => (
        <span className="block min-w-0">
          <Link to="/models/$" params={{ _splat: id }} className={`${textLinkClasses} break-all`}>
            {id}
          </Link>
          {name !== id && <span className="block font-normal text-muted">{name}</span>}
        </span>
      ),
    },
    { header: 'Input', align: 'end', cell: ({ weights }) => (weights ? formatWeight(weights.input) : '–') },
    { header: 'Output', align: 'end', cell: ({ weights }) => (weights ? formatWeight(weights.output) : '–') },
    { header: 'Routes', align: 'end', cell: ({ routes }) => formatCount(routes.length) },
    {
      header: 'State',
      cell: model => (
        <span className="flex flex-wrap gap-2">
          <ModelState model={model} />
          {isManaged(model.id) && <ManagedBadge />}
        </span>
      ),
    },
  ]
  return <Table caption="Models" columns={columns} rows={models} rowKey={({ id }) => id} />
}
