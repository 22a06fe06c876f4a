import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Model, suggestWeights, type WeightSuggestion } from '#web/api/admin/models.ts'
import { allProvidersQuery } from '#web/api/admin/providers.ts'
import { settingsQuery } from '#web/api/admin/settings.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { PRICING_MESSAGES, pricingFields } from '../catalog/pricing-fields.ts'

export type WeightCalculatorProps = {
  readonly model: Model
  readonly onSuggested: (suggestion: WeightSuggestion) => void
}

/**
 * Works weights out from the list price of one of the model's routes, with a margin. It is a form of its own: what is
 * wrong in it keeps no weights from being saved.
 */
export function WeightCalculator({ model, onSuggested }: WeightCalculatorProps) {
  const providers = useQuery(allProvidersQuery)
  const settings = useQuery(settingsQuery)
  const [route, setRoute] = useState('0')
  const [credit, setCredit] = useState<string | null>(null)
  const [margin, setMargin] = useState<string | null>(null)
  const [suggestion, setSuggestion] = useState<WeightSuggestion | null>(null)
  // A suggestion that comes after a further change is of what no longer stands in the fields.
  const changes = useRef(0)
  const nameOf = (id: string) => providers.data?.data.find(provider => provider.id === id)?.name ?? id
  const choices = [
    ...model.routes.map(({ provider_id, upstream_model }, index) => ({
      value: String(index),
      label: `${nameOf(provider_id)}: ${upstream_model}`,
    })),
    { value: 'id', label: `Whoever lists ${model.id}` },
  ]
  const { formProps, pending, reset } = useForm({
    schema: pricingFields,
    submit: async pricing => {
      const asked = changes.current
      const reply = await suggestWeights({ ...listedAs(model, route), ...pricing })
      return asked === changes.current ? reply : null
    },
    onDone: reply => {
      if (reply === null) return
      setSuggestion(reply)
      onSuggested(reply)
    },
    messages: PRICING_MESSAGES,
  })
  const changing = (set: (text: string) => void) => (text: string) => {
    changes.current += 1
    setSuggestion(null)
    reset()
    set(text)
  }
  const written = {
    credit_usd: credit ?? String(settings.data?.pricing.credit_usd ?? ''),
    margin_percent: margin ?? String(settings.data?.pricing.margin_percent ?? ''),
  }
  return (
    <details className="rounded-md border border-line px-4 py-3">
      <summary className="cursor-pointer text-sm font-medium">Work out from a list price</summary>
      <Form {...formProps} onFormSubmit={() => formProps.onFormSubmit(written)} className="mt-4">
        <SelectField
          label="List price of"
          choices={choices}
          value={model.routes.length === 0 ? 'id' : route}
          onValueChange={changing(setRoute)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="credit_usd"
            label="A credit is worth, in USD"
            value={written.credit_usd}
            onValueChange={changing(setCredit)}
            inputMode="decimal"
          />
          <TextField
            name="margin_percent"
            label="Margin, in percent"
            value={written.margin_percent}
            onValueChange={changing(setMargin)}
            inputMode="decimal"
          />
        </div>
        <div>
          <Button size="small" type="submit" disabled={settings.isPending} pending={pending}>
            Work out weights
          </Button>
        </div>
        <div role="status" className="empty:hidden">
          {suggestion && <Calculation suggestion={suggestion} />}
        </div>
      </Form>
    </details>
  )
}

const NAMES = {
  input: 'Input',
  cache_read: 'Cache read',
  cache_write: 'Cache write',
  cache_write_1h: 'Cache write, for an hour',
  output: 'Output',
} as const

/** The arithmetic, line by line. */
function Calculation({ suggestion: { listed_by, name, lines } }: { readonly suggestion: WeightSuggestion }) {
  return (
    <Notice tone="good" title={`By the list price of ${name ?? 'the model'} at ${listed_by}`}>
      <ul className="mt-2 flex flex-col gap-1">
        {lines.map(({ item, above_input_tokens, calculation }) => (
          <li key={`${item} ${above_input_tokens}`} className="figures">
            {NAMES[item]}
            {above_input_tokens !== null && ` above ${above_input_tokens} input tokens`}: {calculation}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** By what the list price is looked up: the route that was chosen, or the model's own id. */
function listedAs({ id, routes, endpoints: [endpoint] }: Model, route: string) {
  const chosen = routes[Number(route)]
  return {
    ...(chosen
      ? { provider_id: chosen.provider_id, upstream_model: chosen.upstream_model }
      : { upstream_model: id }),
    ...(endpoint ? { endpoint } : {}),
  }
}
