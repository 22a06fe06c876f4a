import { Field } from '@base-ui/react/field'
import { Search } from 'lucide-react'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { fieldClasses } from '#web/ui/field-classes.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { ENDPOINT_LABELS } from '#web/usage/model-words.ts'
import type { ModelFilter } from './filter-models.ts'

export type ModelFiltersProps = {
  readonly models: readonly CatalogEntry[]
  readonly filter: ModelFilter
  readonly onChange: (next: Partial<ModelFilter>) => void
}

/** By words, by what a model can do, and by the route that serves it. */
export function ModelFilters({ models, filter, onChange }: ModelFiltersProps) {
  const capabilities = [...new Set(models.flatMap(model => model.capabilities))].sort()
  const endpoints = [...new Set(models.flatMap(model => model.endpoints))].sort()
  return (
    <search className="mb-5 grid gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_12rem]">
      <Field.Root className="relative">
        <Field.Label className="sr-only">Search models</Field.Label>
        <Search className="absolute top-3 left-3 size-4 text-muted" aria-hidden="true" />
        <Field.Control
          type="search"
          placeholder="Search by name, maker or description"
          value={filter.q ?? ''}
          onChange={event => onChange({ q: event.target.value || undefined })}
          className={`${fieldClasses} pl-9`}
        />
      </Field.Root>
      <SelectField
        label="Capability"
        hideLabel
        value={filter.capability ?? ''}
        choices={[
          { value: '', label: 'Any capability' },
          ...capabilities.map(value => ({ value, label: value })),
        ]}
        onValueChange={value => onChange({ capability: value || undefined })}
      />
      <SelectField
        label="Route"
        hideLabel
        value={filter.endpoint ?? ''}
        choices={[
          { value: '', label: 'Any route' },
          ...endpoints.map(value => ({ value, label: ENDPOINT_LABELS[value] })),
        ]}
        onValueChange={value => onChange({ endpoint: value || undefined })}
      />
    </search>
  )
}
