import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createPackage } from '#contract/catalog.ts'
import { type CreditPackage, changePackage, makePackage, PACKAGES } from '#web/api/admin/packages.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { useForm } from '#web/api/use-form.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Form } from '#web/ui/form.tsx'
import { minorToText, textToMinor } from '#web/ui/money.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { typedCount, typedNumber } from '#web/ui/typed-number.ts'

export type PackageFormProps = {
  /** The package to change; null for a new one. */
  readonly sold: CreditPackage | null
  readonly onSaved: (saved: CreditPackage) => void
}

export function PackageForm({ sold, onSaved }: PackageFormProps) {
  const queryClient = useQueryClient()
  // As the fields began: the list may load it anew meanwhile.
  const [shown] = useState(sold)
  const { formProps, pending } = useForm({
    schema: createPackage,
    submit: body => (shown ? changePackage(shown.id, changedFields(body, shown)) : makePackage(body)),
    onDone: async saved => {
      await queryClient.invalidateQueries({ queryKey: PACKAGES })
      onSaved(saved)
    },
    messages: {
      name: 'Give a name of up to 200 characters.',
      credits: 'Give a number of credits above 0.',
      price: 'Give an amount such as 4.99, and a currency by its three letters.',
      position: 'Give a whole number from 0 to 1000.',
    },
  })
  const { onFormSubmit } = formProps
  return (
    <Form
      {...formProps}
      onFormSubmit={({ name, credits, price, currency, position, on_sale }) =>
        onFormSubmit({
          name,
          credits: typedNumber(credits),
          price: { amount: readAmount(price, currency), currency },
          position: typedCount(position),
          on_sale,
        })
      }
    >
      <TextField name="name" label="Name" defaultValue={sold?.name} autoComplete="off" required />
      <TextField
        name="credits"
        label="Credits"
        inputMode="decimal"
        defaultValue={sold?.credits}
        autoComplete="off"
        required
      />
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-4">
        <TextField
          name="price"
          label="Price"
          inputMode="decimal"
          defaultValue={sold ? minorToText(sold.price.amount, sold.price.currency) : undefined}
          autoComplete="off"
          required
        />
        <TextField
          name="currency"
          label="Currency"
          defaultValue={sold?.price.currency ?? 'EUR'}
          maxLength={3}
          autoComplete="off"
          autoCapitalize="characters"
          required
        />
      </div>
      <TextField
        name="position"
        label="Position"
        description="Lower stands first among those on sale; of two alike, the smaller."
        inputMode="numeric"
        defaultValue={sold?.position ?? 0}
        autoComplete="off"
        required
      />
      <CheckboxField name="on_sale" label="On sale" defaultChecked={sold?.on_sale ?? true} />
      <SubmitButton pending={pending}>{sold ? 'Save package' : 'Make package'}</SubmitButton>
    </Form>
  )
}

/** null, which the schema refuses, for what is no amount of a currency. */
function readAmount(price: unknown, currency: unknown): number | null {
  if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency)) return null
  return textToMinor(String(price), currency)
}
