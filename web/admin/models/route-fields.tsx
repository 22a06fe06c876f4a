import type { Provider } from '#web/api/admin/providers.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { RouteDraft } from './routes-draft.ts'

export type RouteFieldsProps = {
  readonly route: RouteDraft
  readonly providers: readonly Provider[]
  readonly onChange: (route: RouteDraft) => void
}

/** One place where a model is served. */
export function RouteFields({ route, providers, onChange }: RouteFieldsProps) {
  const field = (name: 'upstreamModel' | 'priority' | 'weight' | 'cost') => ({
    name: `${route.row}.${name}`,
    value: route[name],
    onValueChange: (text: string) => onChange({ ...route, [name]: text }),
    autoComplete: 'off',
  })
  return (
    <>
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
    </>
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
