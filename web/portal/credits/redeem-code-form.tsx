import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { redeemPromoCode } from '#contract/promo-codes.ts'
import { redeemCode, refreshCredits } from '#web/api/client/credits.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'

/** Turns a promotional code into credits. */
export function RedeemCodeForm() {
  const queryClient = useQueryClient()
  const [redeemed, setRedeemed] = useState(0)
  const { formProps, pending } = useForm({
    schema: redeemPromoCode,
    submit: redeemCode,
    onDone: ({ amount }) => {
      notify('Code redeemed', `${formatCredits(amount)} credits are yours.`)
      setRedeemed(count => count + 1)
      void refreshCredits(queryClient)
    },
    messages: { code: 'Type the code as it was given to you.' },
  })
  return (
    // A new form after each code: nothing of the old one stays in it.
    <Form key={redeemed} {...formProps}>
      <TextField
        name="code"
        label="Code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        action={
          <Button type="submit" pending={pending}>
            Redeem
          </Button>
        }
      />
    </Form>
  )
}
