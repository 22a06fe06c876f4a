import { DayField } from '#web/ui/day-field.tsx'
import type { Choice } from '#web/ui/select-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { type RequestSearch, requestSearch } from './request-search.ts'

export type RequestFiltersProps = {
  readonly search: RequestSearch
  readonly models: readonly Choice[]
  readonly keys: readonly Choice[]
  readonly onChange: (next: Partial<RequestSearch>) => void
}

/** By how they ended, by model and key, and by day. */
export function RequestFilters({ search, models, keys, onChange }: RequestFiltersProps) {
  return (
    <search aria-label="Requests" className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <div className="max-sm:col-span-2">
        <SelectField
          label="Status"
          value={search.status ?? ''}
          choices={[
            { value: '', label: 'Any status' },
            { value: 'succeeded', label: 'Succeeded' },
            { value: 'failed', label: 'Failed' },
            { value: 'cancelled', label: 'Cancelled' },
          ]}
          onValueChange={status => onChange({ status: requestSearch.parse({ status }).status })}
        />
      </div>
      <SelectField
        label="Model"
        value={search.model ?? ''}
        choices={[{ value: '', label: 'All models' }, ...models]}
        onValueChange={model => onChange({ model: model || undefined })}
      />
      <SelectField
        label="Key"
        value={search.key ?? ''}
        choices={[{ value: '', label: 'All keys' }, ...keys]}
        onValueChange={key => onChange({ key: key || undefined })}
      />
      <DayField label="First day" value={search.from} onChange={from => onChange({ from })} />
      <DayField label="Last day" value={search.to} onChange={to => onChange({ to })} />
    </search>
  )
}
