import { useQueryClient } from '@tanstack/react-query'
import { markOrderPaid } from '#contract/orders.ts'
import { markPaid, ORDERS, type Order } from '#web/api/admin/orders.ts'
import { useForm } from '#web/api/use-form.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'

export type OrderDialogProps = {
  readonly order: Order
  readonly open: boolean
  readonly onClose: () => void
}

/** Credits an invoice whose money the operator has seen. */
export function MarkPaidDialog({ order, open, onClose }: OrderDialogProps) {
  const { credits, price, account } = order
  return (
    <Dialog
      open={open}
      onOpenChange={next => !next && onClose()}
      title="Mark paid"
      description={`${account.name} has paid ${formatMoney(price.amount, price.currency)} and is given ${formatCredits(credits, { minDecimals: 0 })} credits.`}
    >
      <MarkPaidForm order={order} onDone={onClose} />
    </Dialog>
  )
}

function MarkPaidForm({ order, onDone }: { readonly order: Order; readonly onDone: () => void }) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: markOrderPaid,
    submit: body => markPaid(order.id, body),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: ORDERS })
      onDone()
      notify('Order paid', `The credits are on the balance of ${order.account.name}.`)
    },
    messages: { note: 'Use 1000 characters at most.' },
  })
  return (
    <Form {...formProps}>
      <TextField
        name="note"
        label="Note"
        description="Where you saw the money, such as the number of a statement. Operators see it."
        autoComplete="off"
      />
      <SubmitButton pending={pending}>Mark paid</SubmitButton>
    </Form>
  )
}
