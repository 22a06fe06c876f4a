import { z } from 'zod'
import { keyLimits, spendingCap } from '#contract/keys.ts'
import { displayName } from '#contract/primitives.ts'
import type { Key } from '#web/api/admin/keys.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ifTyped, typedCount, typedNumber } from '#web/ui/typed-number.ts'

const number = <Schema extends z.ZodType>(schema: Schema, read = typedNumber) =>
  z.preprocess(text => ifTyped(text, read), schema.optional())

/** What a form about a key takes, field by field. */
export const keyFields = z.object({
  name: displayName,
  requests: number(keyLimits.shape.requests, typedCount),
  window_seconds: number(keyLimits.shape.window_seconds, typedCount),
  concurrency: number(keyLimits.shape.concurrency, typedCount),
  cap: number(spendingCap.shape.credits),
  period: spendingCap.shape.period,
  models: z.string().transform(text => text.split(/[\s,]+/).filter(id => id !== '')),
})

/** The same of a key that is there: its limits are what holds, and no route takes them back to the settings'. */
export const changedKeyFields = keyFields.extend({
  requests: z.preprocess(typedCount, keyLimits.shape.requests),
  window_seconds: z.preprocess(typedCount, keyLimits.shape.window_seconds),
  concurrency: z.preprocess(typedCount, keyLimits.shape.concurrency),
})

export const KEY_MESSAGES = {
  name: 'Give a name of up to 200 characters.',
  requests: 'Give a whole number from 1 to 1,000,000.',
  window_seconds: 'Give a whole number of seconds from 1 to 86,400.',
  concurrency: 'Give a whole number from 1 to 100,000.',
  cap: 'Give a number of credits above 0, or leave it empty.',
} as const

/** What the routes take for what the fields hold. A limit of a new key that is left empty is not given. */
export function keyRules({
  cap,
  period,
  models,
  name,
  requests,
  window_seconds,
  concurrency,
}: z.output<typeof keyFields>) {
  return {
    name,
    limits: { requests, window_seconds, concurrency },
    spending_cap: cap === undefined ? null : { credits: cap, period },
    models: models.length === 0 ? null : models,
  }
}

/** Of rules, what is not as it was shown; a cap and its period go together, each limit goes by itself. */
export function changedRules({ limits, ...rules }: ReturnType<typeof keyRules>, shown: Key) {
  const changed = changedFields(limits, shown.limits)
  return { ...changedFields(rules, shown), ...(Object.keys(changed).length === 0 ? {} : { limits: changed }) }
}

const PERIODS = [
  { value: 'month', label: 'in a month' },
  { value: 'day', label: 'in a day' },
]

/** The name of a key, its limits and what it may spend. Stands in a `Form`. */
export function KeyFields({ apiKey }: { readonly apiKey?: Key }) {
  const limit = (name: 'requests' | 'window_seconds' | 'concurrency', label: string) => (
    <TextField
      name={name}
      label={label}
      inputMode="numeric"
      autoComplete="off"
      placeholder={apiKey ? undefined : 'As in the settings'}
      defaultValue={apiKey?.limits[name]}
    />
  )
  return (
    <>
      <TextField name="name" label="Name" defaultValue={apiKey?.name} autoComplete="off" required />
      <div className="grid gap-5 sm:grid-cols-3">
        {limit('requests', 'Requests')}
        {limit('window_seconds', 'In seconds')}
        {limit('concurrency', 'In flight')}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          name="cap"
          label="Credits it may spend"
          inputMode="decimal"
          autoComplete="off"
          placeholder="No cap"
          defaultValue={apiKey?.spending_cap?.credits}
        />
        <SelectField
          name="period"
          label="Over"
          choices={PERIODS}
          defaultValue={apiKey?.spending_cap?.period ?? 'month'}
        />
      </div>
      <TextField
        name="models"
        label="Models it may use"
        autoComplete="off"
        placeholder="All"
        defaultValue={apiKey?.models?.join(', ')}
        description="Ids with commas between them. Empty: all."
      />
    </>
  )
}
