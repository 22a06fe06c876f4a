import { useQueryClient } from '@tanstack/react-query'
import { CreditCard } from 'lucide-react'
import { useState } from 'react'
import { refreshCredits } from '#web/api/client/credits.ts'
import { forgetPaymentMethod, paymentOptionsQuery } from '#web/api/client/orders.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { notify } from '#web/ui/toast.tsx'

/** The way to pay that is kept, and the way to have it forgotten. */
export function SavedMethod({ label }: { readonly label: string }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const forget = useConfirm({
    subject: asking ? label : null,
    act: forgetPaymentMethod,
    onDone: async () => {
      setAsking(false)
      notify('Payment method forgotten', 'Automatic top-up is off.')
      void queryClient.invalidateQueries({ queryKey: paymentOptionsQuery.queryKey })
      await refreshCredits(queryClient)
    },
    onClose: () => setAsking(false),
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <span className="inline-flex min-w-0 items-center gap-2">
        <CreditCard className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <span className="break-words">Paid by {label}</span>
      </span>
      <Button size="small" onClick={() => setAsking(true)}>
        Forget it
      </Button>
      <ConfirmDialog {...forget} title={`Forget ${label}?`} confirmLabel="Forget payment method">
        <p>Automatic top-up ends with it. You can keep a payment method again with your next purchase.</p>
      </ConfirmDialog>
    </div>
  )
}
