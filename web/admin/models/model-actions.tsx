import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { changeModel, deleteModel, MODELS, type Model } from '#web/api/admin/models.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { notify, notifyFailure } from '#web/ui/toast.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { ModelForm } from './model-form.tsx'

/** What can be done with a model as a whole. */
export function ModelActions({ model }: { readonly model: Model }) {
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const change = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSuccess: async ({ enabled, deprecated }) => {
      notify('Model saved', `${enabled ? 'Enabled' : 'Not enabled'}${deprecated ? ', deprecated' : ''}.`)
      await queryClient.invalidateQueries({ queryKey: MODELS })
    },
    onError: error => notifyFailure('That did not work', error.message),
  })
  return (
    <ForOperators>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setEditing(true)}>Edit</Button>
        <Button
          look={model.enabled ? 'plain' : 'primary'}
          pending={change.isPending}
          onClick={() => change.mutate({ enabled: !model.enabled })}
        >
          {model.enabled ? 'Disable' : 'Enable'}
        </Button>
        <Menu
          trigger={
            <Button size="icon" aria-label="More actions">
              <Ellipsis className="size-4" aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem onSelect={() => change.mutate({ deprecated: !model.deprecated })}>
            {model.deprecated ? 'No longer deprecated' : 'Deprecate'}
          </MenuItem>
          <MenuItem tone="danger" onSelect={() => setDeleting(true)}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <Dialog open={editing} onOpenChange={setEditing} keepsOpen title={`Edit ${model.name}`}>
        <ModelForm
          model={model}
          onSaved={() => {
            setEditing(false)
            notify('Model saved')
          }}
        />
      </Dialog>
      <DeleteDialog model={model} open={deleting} onClose={() => setDeleting(false)} />
    </ForOperators>
  )
}

type DeleteDialogProps = {
  readonly model: Model
  readonly open: boolean
  readonly onClose: () => void
}

function DeleteDialog({ model, open, onClose }: DeleteDialogProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useConfirm({
    subject: open ? model : null,
    act: ({ id }) => deleteModel(id),
    onDone: async () => {
      await navigate({ to: '/models' })
      notify('Model deleted', model.id)
      await queryClient.invalidateQueries({ queryKey: MODELS })
    },
    onClose,
  })
  return (
    <ConfirmDialog {...remove} title={`Delete ${model.id}?`} confirmLabel="Delete model">
      Callers that ask for it are told that there is no such model. Records of what was asked of it stay. To
      warn them first, deprecate it.
    </ConfirmDialog>
  )
}
