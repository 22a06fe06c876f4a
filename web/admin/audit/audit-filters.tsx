import { Button } from '#web/ui/button.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { Form } from '#web/ui/form.tsx'
import { type Choice, SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { AuditSearch } from './audit-search.ts'

export type AuditFiltersProps = {
  readonly search: AuditSearch
  readonly actors: readonly Choice[]
  readonly onChange: (next: Partial<AuditSearch>) => void
}

/** By who it was, what was done to what, and when. What is written is looked for on Enter. */
export function AuditFilters({ search, actors, onChange }: AuditFiltersProps) {
  return (
    <search aria-label="Changes" className="mb-6">
      <Form
        key={JSON.stringify(search)}
        className="gap-3"
        onFormSubmit={({ action, target }) => onChange({ action: textIn(action), target: textIn(target) })}
      >
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
          <SelectField
            label="By whom"
            value={search.actor ?? ''}
            choices={[{ value: '', label: 'Anybody' }, ...actors]}
            onValueChange={actor => onChange({ actor: actor || undefined })}
          />
          <TextField
            name="action"
            label="Action"
            placeholder="model.update"
            defaultValue={search.action ?? ''}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            name="target"
            label="Of what"
            placeholder="its id"
            defaultValue={search.target ?? ''}
            autoComplete="off"
            spellCheck={false}
          />
          <DayField label="First day" value={search.from} onChange={from => onChange({ from })} />
          <DayField label="Last day" value={search.to} onChange={to => onChange({ to })} />
        </div>
        <div className="flex gap-3">
          <Button look="primary" size="small" type="submit">
            Search
          </Button>
        </div>
      </Form>
    </search>
  )
}

function textIn(value: unknown): string | undefined {
  return String(value ?? '').trim() || undefined
}
