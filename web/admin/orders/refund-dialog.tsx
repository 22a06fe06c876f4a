import { useQueryClient } from '@tanstack/react-query'
import { refundOrder } from '#contract/orders.ts'
import { ORDERS, type Order, refund } from '#web/api/admin/orders.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { formatMoney, minorToText, textToMinor } from '#web/ui/money.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import type { OrderDialogProps } from './mark-paid-dialog.tsx'

/** Pays back a part of the price, or all that is left of it; the same share of the credits is taken back. */
export function RefundDialog({ order, open, onClose }: OrderDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={next => !next && onClose()}
      title="Pay back"
      description={
        order.processor === 'stripe'
          ? 'The money goes back the way it came, through Stripe. The same share of the credits is taken back.'
          : 'Pay the money back yourself: this notes that you did. The same share of the credits is taken back.'
      }
    >
      <RefundForm order={order} onDone={onClose} />
    </Dialog>
  )
}

function RefundForm({ order, onDone }: { readonly order: Order; readonly onDone: () => void }) {
  const queryClient = useQueryClient()
  const { amount, currency } = order.price
  const left = amount - order.refunded.amount
  const { formProps, pending } = useForm({
    schema: refundOrder.required().refine(value => value.amount <= left, { path: ['amount'] }),
    submit: body => refund(order.id, body),
    onDone: async ({ refunded }) => {
      await queryClient.invalidateQueries({ queryKey: ORDERS })
      onDone()
      notify('Paid back', `${formatMoney(refunded.amount, currency)} in all of this order.`)
    },
    messages: { amount: `Give an amount of up to ${formatMoney(left, currency)}.` },
  })
  const { onFormSubmit } = formProps
  return (
    <Form
      {...formProps}
      onFormSubmit={values => onFormSubmit({ amount: textToMinor(String(values.amount), currency) })}
    >
      <TextField
        name="amount"
        label={`Amount in ${currency}`}
        description="A balance may fall below zero by it; the next purchase then pays the debt first."
        inputMode="decimal"
        autoComplete="off"
        defaultValue={minorToText(left, currency)}
        required
      />
      <SubmitButton look="danger" pending={pending}>
        Pay back
      </SubmitButton>
    </Form>
  )
}
