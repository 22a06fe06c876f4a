import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createOrder, type ProcessorName } from '#contract/orders.ts'
import {
  type CreditPackage,
  ORDERS,
  type Order,
  type PaymentOptions,
  placeOrder,
} from '#web/api/client/orders.ts'
import { useForm } from '#web/api/use-form.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'

export type BuyDialogProps = {
  /** The package to buy; null while nobody asks for one. */
  readonly sold: CreditPackage | null
  readonly options: PaymentOptions
  readonly onClose: () => void
}

/** Orders a package, and leads to where it is paid. */
export function BuyDialog({ sold, options, onClose }: BuyDialogProps) {
  return (
    <Dialog
      open={sold !== null}
      onOpenChange={open => !open && onClose()}
      title={sold ? `Buy ${sold.name}` : 'Buy credits'}
      description={
        sold &&
        `${formatCredits(sold.credits, { minDecimals: 0 })} credits for ${formatMoney(sold.price.amount, sold.price.currency)}.`
      }
    >
      {sold && <BuyForm sold={sold} options={options} />}
    </Dialog>
  )
}

const WAYS: Record<ProcessorName, string> = { stripe: 'Card or wallet', invoice: 'Invoice' }

function BuyForm({ sold, options }: { readonly sold: CreditPackage; readonly options: PaymentOptions }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [processor, setProcessor] = useState(options.processors[0] ?? 'invoice')
  const [isLeaving, setLeaving] = useState(false)
  const goOn = ({ id, payment }: Order) => {
    void queryClient.invalidateQueries({ queryKey: ORDERS })
    if (payment?.kind !== 'redirect')
      return navigate({ to: '/credits/orders/$orderId', params: { orderId: id } })
    setLeaving(true)
    location.assign(payment.url)
  }
  const { formProps, pending } = useForm({ schema: createOrder, submit: placeOrder, onDone: goOn })
  const { onFormSubmit } = formProps
  const canSave = processor === 'stripe' && options.can_save_payment_method
  return (
    <Form
      {...formProps}
      onFormSubmit={({ save_payment_method = false }) =>
        onFormSubmit({ package_id: sold.id, processor, save_payment_method })
      }
    >
      {options.processors.length > 1 && (
        <SelectField
          name="processor"
          label="Pay by"
          choices={options.processors.map(value => ({ value, label: WAYS[value] }))}
          value={processor}
          // The choices are the processors themselves.
          onValueChange={value => setProcessor(value as ProcessorName)}
        />
      )}
      {canSave && (
        <CheckboxField
          name="save_payment_method"
          label="Keep the payment method"
          description="So that credits can be bought by themselves when they run low. Nothing is bought before you turn that on."
        />
      )}
      <p className="text-sm text-muted">
        {processor === 'invoice'
          ? 'You are shown how to pay. The credits are yours when the operator has seen the money.'
          : 'You pay on the page of the payment processor, which then brings you back here.'}
      </p>
      <SubmitButton pending={pending || isLeaving}>
        {processor === 'invoice' ? 'Order by invoice' : 'Go to payment'}
      </SubmitButton>
    </Form>
  )
}
