import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KEYS, type Key, revokeKey } from '#web/api/admin/keys.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { notify } from '#web/ui/toast.tsx'
import type { KeyDialogProps } from './edit-key-dialog.tsx'

/** Asks before a customer's key is revoked. */
export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: ({ id }: Key) => revokeKey(id),
    onSuccess: async (_reply, { name }) => {
      onClose()
      notify('Key revoked', `${name} is refused from now on.`)
      await queryClient.invalidateQueries({ queryKey: KEYS })
    },
  })
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onOpenChange={open => {
        if (open) return
        onClose()
        revoke.reset()
      }}
      title={`Revoke ${apiKey?.name ?? 'this key'}?`}
      confirmLabel="Revoke key"
      onConfirm={() => apiKey && revoke.mutate(apiKey)}
      pending={revoke.isPending}
      failure={revoke.error?.message}
    >
      <p>
        Every program of the customer that uses <code className="font-mono break-all">{apiKey?.hint}</code> is
        refused at once. This can not be undone.
      </p>
    </ConfirmDialog>
  )
}
