import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { type CreditPackage, changePackage, deletePackage, PACKAGES } from '#web/api/admin/packages.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { notify, notifyFailure } from '#web/ui/toast.tsx'
import { PackageForm } from './package-form.tsx'

/** What can be done with a package. */
export function PackageMenu({ sold }: { readonly sold: CreditPackage }) {
  const { id, name, on_sale } = sold
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null)
  const close = () => setAsking(null)
  const change = useMutation({
    mutationFn: () => changePackage(id, { on_sale: !on_sale }),
    onSuccess: saved => {
      notify(saved.on_sale ? 'Package on sale' : 'Package taken off sale', saved.name)
      void queryClient.invalidateQueries({ queryKey: PACKAGES })
    },
    onError: error => notifyFailure('The package was not changed', error.message),
  })
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="small-icon" aria-label={`Actions for ${name}`}>
            <Ellipsis className="size-4" aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setAsking('edit')}>Edit</MenuItem>
        <MenuItem onSelect={() => change.mutate()}>{on_sale ? 'Take off sale' : 'Put on sale'}</MenuItem>
        <MenuItem tone="danger" onSelect={() => setAsking('delete')}>
          Delete
        </MenuItem>
      </Menu>
      <Dialog open={asking === 'edit'} onOpenChange={open => !open && close()} title={`Edit ${name}`}>
        <PackageForm
          sold={sold}
          onSaved={saved => {
            close()
            notify('Package saved', saved.name)
          }}
        />
      </Dialog>
      <DeletePackageDialog sold={sold} open={asking === 'delete'} onClose={close} />
    </>
  )
}

type DeletePackageDialogProps = {
  readonly sold: CreditPackage
  readonly open: boolean
  readonly onClose: () => void
}

function DeletePackageDialog({ sold, open, onClose }: DeletePackageDialogProps) {
  const queryClient = useQueryClient()
  const remove = useConfirm({
    subject: open ? sold : null,
    act: ({ id }) => deletePackage(id),
    onDone: async () => {
      onClose()
      notify('Package deleted', sold.name)
      await queryClient.invalidateQueries({ queryKey: PACKAGES })
    },
    onClose,
  })
  return (
    <ConfirmDialog {...remove} title={`Delete ${sold.name}?`} confirmLabel="Delete package">
      <p>A package that was ever ordered stays: take it off sale instead.</p>
    </ConfirmDialog>
  )
}
