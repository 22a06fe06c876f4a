import { useQueryClient } from '@tanstack/react-query'
import { createPromoCode } from '#contract/promo-codes.ts'
import { makePromoCode, PROMO_CODES, type PromoCode } from '#web/api/admin/promo-codes.ts'
import { useForm } from '#web/api/use-form.ts'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { typedCount, typedNumber } from '#web/ui/typed-number.ts'
import { BOUND_MESSAGES, CodeBounds, endOfDay, typedBound } from './code-bounds.tsx'

export function NewCodeForm({ onMade }: { readonly onMade: (made: PromoCode) => void }) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: createPromoCode,
    submit: makePromoCode,
    onDone: async made => {
      await queryClient.invalidateQueries({ queryKey: PROMO_CODES })
      onMade(made)
      notify('Code made', `${made.code} can be redeemed from now on.`)
    },
    messages: {
      code: 'Use 4 to 40 letters, digits and dashes.',
      credits: 'Give a number of credits above 0.',
      max_uses_per_account: 'Give a whole number from 1 to 1000.',
      valid_days: 'Give a whole number of days from 1 to 3650, or leave it empty.',
      ...BOUND_MESSAGES,
    },
  })
  const { onFormSubmit } = formProps
  return (
    <Form
      {...formProps}
      onFormSubmit={({ code, credits, max_uses, max_uses_per_account, valid_days, expires_at, note }) =>
        onFormSubmit({
          code,
          credits: typedNumber(credits),
          max_uses: typedBound(max_uses),
          max_uses_per_account: typedCount(max_uses_per_account),
          valid_days: typedBound(valid_days),
          expires_at: endOfDay(expires_at),
          note,
        })
      }
    >
      <TextField
        name="code"
        label="Code"
        placeholder="WELCOME-2026"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField name="credits" label="Credits" inputMode="decimal" autoComplete="off" required />
        <TextField
          name="valid_days"
          label="Credits end after days"
          description="Empty: they do not end."
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <TextField
        name="max_uses_per_account"
        label="Uses for each account"
        inputMode="numeric"
        defaultValue="1"
        autoComplete="off"
        required
      />
      <CodeBounds code={null} />
      <SubmitButton pending={pending}>Make code</SubmitButton>
    </Form>
  )
}
