import { Button } from '#web/ui/button.tsx'
import { DayField } from '#web/ui/day-field.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type RequestSearch, requestSearch } from './request-search.ts'

export type RequestFiltersProps = {
  readonly search: RequestSearch
  readonly onChange: (next: Partial<RequestSearch>) => void
}

const IDS = [
  { name: 'id', label: 'Request id', hint: 'req_…' },
  { name: 'account', label: 'Account id', hint: 'acc_…' },
  { name: 'key', label: 'Key id', hint: 'key_…' },
  { name: 'model', label: 'Model', hint: 'its id' },
  { name: 'provider', label: 'Provider', hint: 'its name' },
] as const

/** By whose they are, where they went, how they ended, and when. What is written is looked for on Enter. */
export function RequestFilters({ search, onChange }: RequestFiltersProps) {
  return (
    <search aria-label="Requests" className="mb-6">
      <Form
        // What stands in the address stands in the fields, also after a way back.
        key={JSON.stringify(search)}
        className="gap-3"
        onFormSubmit={values =>
          onChange(
            Object.fromEntries(IDS.map(({ name }) => [name, String(values[name] ?? '').trim() || undefined])),
          )
        }
      >
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4">
          {IDS.map(({ name, label, hint }) => (
            <TextField
              key={name}
              name={name}
              label={label}
              placeholder={hint}
              defaultValue={search[name] ?? ''}
              autoComplete="off"
              spellCheck={false}
            />
          ))}
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
          <DayField label="First day" value={search.from} onChange={from => onChange({ from })} />
          <DayField label="Last day" value={search.to} onChange={to => onChange({ to })} />
        </div>
        <div className="flex gap-3">
          <Button look="primary" size="small" type="submit">
            Search
          </Button>
          {Object.values(search).some(value => value !== undefined) && (
            <Button
              size="small"
              onClick={() => onChange(Object.fromEntries(Object.keys(search).map(name => [name, undefined])))}
            >
              Clear
            </Button>
          )}
        </div>
      </Form>
    </search>
  )
}
