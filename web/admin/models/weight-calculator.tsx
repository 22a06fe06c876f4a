import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Model, suggestWeights, type WeightSuggestion } from '#web/api/admin/models.ts'
import { allProvidersQuery } from '#web/api/admin/providers.ts'
import { settingsQuery } from '#web/api/admin/settings.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { typedNumber } from '#web/ui/typed-number.ts'

export type WeightCalculatorProps = {
  readonly model: Model
  readonly onSuggested: (suggestion: WeightSuggestion) => void
}

/** Works weights out from the list price of one of the model's routes, with a margin. */
export function WeightCalculator({ model, onSuggested }: WeightCalculatorProps) {
  const providers = useQuery(allProvidersQuery)
  const { data: settings } = useQuery(settingsQuery)
  const [route, setRoute] = useState('0')
  const [credit, setCredit] = useState<string | null>(null)
  const [margin, setMargin] = useState<string | null>(null)
  const suggest = useMutation({ mutationFn: suggestWeights, onSuccess: onSuggested })
  const nameOf = (id: string) => providers.data?.data.find(provider => provider.id === id)?.name ?? id
  const choices = [
    ...model.routes.map(({ provider_id, upstream_model }, index) => ({
      value: String(index),
      label: `${nameOf(provider_id)}: ${upstream_model}`,
    })),
    { value: 'id', label: `Whoever lists ${model.id}` },
  ]
  const ask = () => {
    const chosen = model.routes[Number(route)]
    suggest.mutate({
      ...(chosen
        ? { provider_id: chosen.provider_id, upstream_model: chosen.upstream_model }
        : { upstream_model: model.id }),
      ...(model.endpoints[0] ? { endpoint: model.endpoints[0] } : {}),
      ...numberIn('credit_usd', credit),
      ...numberIn('margin_percent', margin),
    })
  }
  return (
    <details className="rounded-md border border-line px-4 py-3">
      <summary className="cursor-pointer text-sm font-medium">Work out from a list price</summary>
      <div className="mt-4 flex flex-col gap-4">
        <SelectField
          label="List price of"
          choices={choices}
          value={model.routes.length === 0 ? 'id' : route}
          onValueChange={setRoute}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="credit_usd"
            label="A credit is worth, in USD"
            value={credit ?? String(settings?.pricing.credit_usd ?? '')}
            onValueChange={setCredit}
            inputMode="decimal"
          />
          <TextField
            name="margin_percent"
            label="Margin, in percent"
            value={margin ?? String(settings?.pricing.margin_percent ?? '')}
            onValueChange={setMargin}
            inputMode="decimal"
          />
        </div>
        <div>
          <Button size="small" pending={suggest.isPending} onClick={ask}>
            Work out weights
          </Button>
        </div>
        <div role="status" className="empty:hidden">
          {suggest.error && <Notice tone="bad">{suggest.error.message}</Notice>}
          {suggest.data && <Calculation suggestion={suggest.data} />}
        </div>
      </div>
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

function numberIn(name: 'credit_usd' | 'margin_percent', text: string | null) {
  const value = typedNumber(text)
  return Number.isFinite(value) ? { [name]: value } : {}
}
