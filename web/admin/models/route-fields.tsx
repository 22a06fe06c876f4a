import { Trash2 } from 'lucide-react'
import type { Provider } from '#web/api/admin/providers.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { RouteDraft } from './routes-draft.ts'

export type RouteFieldsProps = {
  readonly title: string
  readonly route: RouteDraft
  readonly providers: readonly Provider[]
  readonly onChange: (route: RouteDraft) => void
  readonly onRemove: () => void
}

/** One place where a model is served. */
export function RouteFields({ title, route, providers, onChange, onRemove }: RouteFieldsProps) {
  const field = (name: 'upstreamModel' | 'priority' | 'weight' | 'cost') => ({
    name: `${route.row}.${name}`,
    value: route[name],
    onValueChange: (text: string) => onChange({ ...route, [name]: text }),
    autoComplete: 'off',
  })
  return (
    <fieldset className="flex flex-col gap-4 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Provider"
          choices={choicesOf(providers, route.provider)}
          value={route.provider}
          onValueChange={provider => onChange({ ...route, provider })}
        />
        <TextField {...field('upstreamModel')} label="Model there" spellCheck={false} required />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField {...field('priority')} label="Order" description="lower goes first" inputMode="numeric" />
        <TextField
          {...field('weight')}
          label="Share"
          description="among equals; 0: only when others fail"
          inputMode="numeric"
        />
        <TextField
          {...field('cost')}
          label="Cost"
          description="in any measure; empty: unknown"
          inputMode="decimal"
        />
      </div>
      <div>
        <Button look="quiet" size="small" onClick={onRemove} aria-label={`Remove ${title.toLowerCase()}`}>
          <Trash2 className="size-4" aria-hidden="true" />
          Remove
        </Button>
      </div>
    </fieldset>
  )
}

/** The one that is chosen stands among them even where the list does not reach to it. */
function choicesOf(providers: readonly Provider[], chosen: string) {
  const choices = providers.map(({ id, name, enabled }) => ({
    value: id,
    label: enabled ? name : `${name} (paused)`,
  }))
  return choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: chosen }]
}
