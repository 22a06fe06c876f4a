import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { putAutoTopUp } from '#contract/orders.ts'
import { type AutoTopUp, autoTopUpQuery, saveAutoTopUp } from '#web/api/client/credits.ts'
import type { CreditPackage } from '#web/api/client/orders.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { Form } from '#web/ui/form.tsx'
import { formatMoney, minorToText, textToMinor } from '#web/ui/money.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { typedNumber } from '#web/ui/typed-number.ts'

export type TopUpFormProps = { readonly topUp: AutoTopUp; readonly packages: readonly CreditPackage[] }

const nameOf = ({ name, credits, price }: CreditPackage) =>
  `${name}: ${formatCredits(credits, { minDecimals: 0 })} credits for ${formatMoney(price.amount, price.currency)}`

/** What is bought, when, and how much of it in a month at most. */
export function TopUpForm({ topUp, packages }: TopUpFormProps) {
  const queryClient = useQueryClient()
  const [packageId, setPackageId] = useState(topUp.package_id)
  const chosen = packages.find(({ id }) => id === packageId) ?? packages[0]
  const currency = chosen?.price.currency ?? 'EUR'
  const { formProps, pending } = useForm({
    schema: putAutoTopUp,
    submit: saveAutoTopUp,
    onDone: saved => {
      notify(saved.enabled ? 'Automatic top-up is on' : 'Automatic top-up is off')
      queryClient.setQueryData(autoTopUpQuery.queryKey, saved)
    },
    messages: {
      threshold: 'Give a number of credits, 0 or more.',
      monthly_ceiling: 'Give an amount of money above 0.',
    },
    explain: ({ message }) =>
      message.startsWith('monthly_ceiling')
        ? 'The most in a month has to be enough for one package at least.'
        : undefined,
  })
  const { onFormSubmit } = formProps
  return (
    <Form
      {...formProps}
      onFormSubmit={({ enabled, threshold, monthly_ceiling }) =>
        onFormSubmit({
          enabled,
          package_id: chosen?.id,
          threshold: typedNumber(threshold),
          monthly_ceiling: textToMinor(String(monthly_ceiling), currency),
        })
      }
    >
      <CheckboxField name="enabled" label="Buy credits when they run low" defaultChecked={topUp.enabled} />
      <div className="grid gap-5 lg:grid-cols-3">
        <SelectField
          label="Package"
          choices={packages.map(each => ({ value: each.id, label: nameOf(each) }))}
          value={chosen?.id}
          onValueChange={setPackageId}
        />
        <TextField
          name="threshold"
          label="When fewer credits are left than"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={topUp.package_id === null ? '' : String(topUp.threshold)}
        />
        <TextField
          name="monthly_ceiling"
          label={`At most in a month, in ${currency}`}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={topUp.package_id === null ? '' : minorToText(topUp.monthly_ceiling, currency)}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          {formatMoney(topUp.spent_this_month, currency)} spent by itself this month.
        </p>
        <Button type="submit" pending={pending}>
          Save
        </Button>
      </div>
    </Form>
  )
}
