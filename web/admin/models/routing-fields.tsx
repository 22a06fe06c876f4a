import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type RoutingDraft, toOrder } from './routes-draft.ts'
import { ORDERS } from './routing-words.ts'

export type RoutingFieldsProps = {
  readonly routing: RoutingDraft
  readonly onChange: (routing: RoutingDraft) => void
}

/** How the routes of a model are tried, one after another. */
export function RoutingFields({ routing, onChange }: RoutingFieldsProps) {
  const field = (name: 'attempts' | 'seconds' | 'retries') => ({
    name,
    value: routing[name],
    onValueChange: (text: string) => onChange({ ...routing, [name]: text }),
    autoComplete: 'off',
  })
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-1 text-sm font-semibold">How they are tried</legend>
      <p className="text-sm text-muted">
        As long as nothing of an answer has gone to the caller, the next route is tried when one fails. The
        caller pays once, for the answer that came.
      </p>
      <SelectField
        label="Among routes of one order"
        choices={ORDERS.map(({ value, label }) => ({ value, label }))}
        value={routing.order}
        onValueChange={value => onChange({ ...routing, order: toOrder(value) })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...field('attempts')}
          label="Most attempts"
          description="Of one request, over all routes."
          inputMode="numeric"
          required
        />
        <TextField
          {...field('retries')}
          label="Further rounds"
          description="Once all routes failed, after a pause. Callers’ libraries ask again by themselves: that multiplies."
          inputMode="numeric"
          required
        />
      </div>
      <TextField
        {...field('seconds')}
        label="Longest wait, in seconds"
        description="For the answer, or the first event of a stream, over all attempts; then the caller gets 504. Empty: the timeouts of the providers hold for each attempt, and none begins after ten minutes."
        inputMode="decimal"
      />
    </fieldset>
  )
}
