import { type ReactNode, useState } from 'react'
import type { Model } from '#web/api/admin/models.ts'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { notify } from '#web/ui/toast.tsx'
import { ENDPOINT_LABELS } from '#web/usage/model-words.ts'
import { WeightsList } from '#web/usage/weights-list.tsx'
import { Facts } from '../catalog/facts.tsx'
import { ManagedNotice, useManaged } from '../catalog/managed.tsx'
import { usePermissions } from '../layout/permissions.tsx'
import { ModelActions } from './model-actions.tsx'
import { ModelState } from './model-state.tsx'
import { RoutesForm } from './routes-form.tsx'
import { RoutesTable } from './routes-table.tsx'
import { WeightsForm } from './weights-form.tsx'
import { WeightsHistory } from './weights-history.tsx'

/** All of a model: what it weighs, where it is served, what it says of itself, and what it weighed before. */
export function ModelDetail({ model }: { readonly model: Model }) {
  const isManaged = useManaged('model')(model.id)
  const mayChange = usePermissions().mayChange && !isManaged
  const [open, setOpen] = useState<'weights' | 'routes' | null>(null)
  const close = () => setOpen(null)
  const edit = (what: 'weights' | 'routes', label: string): ReactNode =>
    mayChange && (
      <Button size="small" onClick={() => setOpen(what)}>
        {label}
      </Button>
    )
  return (
    <>
      <PageHeader title={model.name} action={mayChange && <ModelActions model={model} />} />
      <div className="-mt-4 mb-8 flex flex-wrap items-center gap-3">
        <code className="font-mono text-sm break-all">{model.id}</code>
        <ModelState model={model} />
      </div>
      {isManaged && <ManagedNotice what="This model" />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel title="What it weighs" action={edit('weights', 'Change weights')}>
          {model.weights === null ? (
            <p className="text-sm text-muted">
              Nothing yet, so it can not be enabled: unpriced is never free.
            </p>
          ) : (
            <WeightsList weights={model.weights} unit_weights={model.unit_weights} />
          )}
        </Panel>
        <Panel title="What it says of itself">
          <ModelFacts model={model} />
        </Panel>
        <Panel title="Routes" className="lg:col-span-2" action={edit('routes', 'Change routes')}>
          <RoutesTable model={model} />
        </Panel>
        <Panel title="What it weighed before" className="lg:col-span-2">
          <WeightsHistory model={model} />
        </Panel>
      </div>
      <Dialog
        open={open === 'weights'}
        onOpenChange={close}
        keepsOpen
        title="Change weights"
        description="The effect is shown before anything is saved."
      >
        <WeightsForm
          model={model}
          onSaved={() => {
            close()
            notify('Weights saved', 'Requests that come in from now on are charged by them.')
          }}
        />
      </Dialog>
      <Dialog open={open === 'routes'} onOpenChange={close} keepsOpen title="Change routes">
        <RoutesForm
          model={model}
          onSaved={() => {
            close()
            notify('Routes saved')
          }}
        />
      </Dialog>
    </>
  )
}

function ModelFacts({ model }: { readonly model: Model }) {
  const { description, owned_by, context_window, max_output_tokens, modalities, capabilities } = model
  const tokens = (count: number | null) => (count === null ? 'Unknown' : `${formatCount(count)} tokens`)
  return (
    <Facts
      facts={{
        Description: description ?? 'None',
        'Made by': owned_by,
        'Context window': tokens(context_window),
        'Most output': tokens(max_output_tokens),
        Takes: modalities.input.join(', ') || 'Unknown',
        Gives: modalities.output.join(', ') || 'Unknown',
        Capabilities: capabilities.join(', ') || 'None named',
        Serves: model.endpoints.map(name => ENDPOINT_LABELS[name]).join(', '),
        Added: <DateTime value={model.created_at} />,
      }}
    />
  )
}
