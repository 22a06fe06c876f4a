import { useQueryClient } from '@tanstack/react-query'
import { KEYS, type Key, revokeKey } from '#web/api/client/keys.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { notify } from '#web/ui/toast.tsx'

export type RevokeKeyDialogProps = {
  /** The key to revoke; null while nobody asks for it. */
  readonly apiKey: Key | null
  /** What speaks against it. */
  readonly warning?: string
  readonly onClose: () => void
}

export function RevokeKeyDialog({ apiKey, warning, onClose }: RevokeKeyDialogProps) {
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
      {warning !== undefined && <p className="mb-2 font-medium text-warn">{warning}</p>}
      <p>
        Every program that uses <code className="font-mono break-all">{apiKey?.hint}</code> is refused at
        once. This can not be undone.
      </p>
    </ConfirmDialog>
  )
}
