import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { changeProvider, deleteProvider, PROVIDERS, type Provider } from '#web/api/admin/providers.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { notify, notifyFailure } from '#web/ui/toast.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { ProviderForm } from './provider-form.tsx'

/** What can be done with a provider. */
export function ProviderActions({ provider }: { readonly provider: Provider }) {
  const [editing, setEditing] = useState(false)
  const [deleting, setDeleting] = useState(false)
  return (
    <ForOperators>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setEditing(true)}>Edit</Button>
        <PauseButton provider={provider} />
        <Button onClick={() => setDeleting(true)}>Delete</Button>
      </div>
      <Dialog open={editing} onOpenChange={setEditing} keepsOpen title={`Edit ${provider.name}`}>
        <ProviderForm
          provider={provider}
          onSaved={() => {
            setEditing(false)
            notify('Provider saved', 'Requests go by it from now on.')
          }}
        />
      </Dialog>
      <DeleteDialog provider={provider} open={deleting} onClose={() => setDeleting(false)} />
    </ForOperators>
  )
}

function PauseButton({ provider }: { readonly provider: Provider }) {
  const queryClient = useQueryClient()
  const pause = useMutation({
    mutationFn: () => changeProvider(provider.id, { enabled: !provider.enabled }),
    onSuccess: async ({ enabled }) => {
      notify(enabled ? 'Back in service' : 'Paused', enabled ? undefined : 'Its routes are left out.')
      await queryClient.invalidateQueries({ queryKey: PROVIDERS })
    },
    onError: error => notifyFailure('That did not work', error.message),
  })
  return (
    <Button pending={pause.isPending} onClick={() => pause.mutate()}>
      {provider.enabled ? 'Pause' : 'Resume'}
    </Button>
  )
}

type DeleteDialogProps = {
  readonly provider: Provider
  readonly open: boolean
  readonly onClose: () => void
}

function DeleteDialog({ provider, open, onClose }: DeleteDialogProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useConfirm({
    subject: open ? provider : null,
    act: ({ id }) => deleteProvider(id),
    onDone: async () => {
      await navigate({ to: '/providers' })
      notify('Provider deleted', provider.name)
      await queryClient.invalidateQueries({ queryKey: PROVIDERS })
    },
    onClose,
  })
  return (
    <ConfirmDialog {...remove} title={`Delete ${provider.name}?`} confirmLabel="Delete provider">
      Its credential is gone with it. Models that have a route to it must lose that first; to stop using it
      for a while, pause it instead.
    </ConfirmDialog>
  )
}
