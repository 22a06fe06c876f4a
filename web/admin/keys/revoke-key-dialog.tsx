import { useQueryClient } from '@tanstack/react-query'
import { KEYS, revokeKey } from '#web/api/admin/keys.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { notify } from '#web/ui/toast.tsx'
import type { KeyDialogProps } from './edit-key-dialog.tsx'

/** Asks before a customer's key is revoked. */
export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const queryClient = useQueryClient()
  const revoke = useConfirm({
    subject: apiKey,
    act: ({ id }) => revokeKey(id),
    onDone: async (_reply, { name }) => {
      onClose()
      notify('Key revoked', `${name} is refused from now on.`)
      await queryClient.invalidateQueries({ queryKey: KEYS })
    },
    onClose,
  })
  return (
    <ConfirmDialog {...revoke} title={`Revoke ${apiKey?.name ?? 'this key'}?`} confirmLabel="Revoke key">
      <p>
        Every program of the customer that uses <code className="font-mono break-all">{apiKey?.hint}</code> is
        refused at once. This can not be undone.
      </p>
    </ConfirmDialog>
  )
}
