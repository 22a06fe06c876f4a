import { usageBucket } from '#contract/usage-report.ts'
import { DayField } from '#web/ui/day-field.tsx'
import { type Choice, SelectField } from '#web/ui/select-field.tsx'
import { RANGES, type UsageSearch } from './usage-search.ts'
import { type AskedSpan, DAY_MS, dayOf, MAX_HOURLY_DAYS, offsetHere } from './usage-span.ts'

const RANGE_LABELS = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  custom: 'Days of my choice',
} as const

export type UsageFiltersProps = {
  readonly search: UsageSearch
  /** What is asked for now; null where what was chosen is no span. */
  readonly span: AskedSpan | null
  readonly models: readonly Choice[]
  readonly keys: readonly Choice[]
  readonly onChange: (next: Partial<UsageSearch>) => void
}

/** Which time, in what steps, grouped by what, and of which model and key alone. */
export function UsageFilters({ search, span, models, keys, onChange }: UsageFiltersProps) {
  const { range = '30d', by = 'model' } = search
  const today = dayOf(Date.now(), offsetHere(new Date()))
  const choose = (next: string) => {
    const chosen = RANGES.find(value => value === next) ?? '30d'
    onChange({ range: chosen, bucket: undefined, ...(chosen === 'custom' ? daysOf(span) : NO_DAYS) })
  }
  return (
    <search aria-label="Usage" className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      <div className="max-sm:col-span-2">
        <SelectField
          label="Time"
          value={range}
          choices={RANGES.map(value => ({ value, label: RANGE_LABELS[value] }))}
          onValueChange={choose}
        />
      </div>
      <SelectField
        label="Steps"
        value={span?.bucket ?? search.bucket ?? 'day'}
        choices={[
          { value: 'day', label: 'Days' },
          ...(span === null || allowsHours(span) ? [{ value: 'hour', label: 'Hours' }] : []),
        ]}
        onValueChange={next => onChange({ bucket: usageBucket.parse(next) })}
      />
      <SelectField
        label="Group by"
        value={by}
        choices={[
          { value: 'model', label: 'Model' },
          { value: 'key', label: 'Key' },
          { value: 'nothing', label: 'Nothing' },
        ]}
        onValueChange={next => onChange({ by: next === 'key' || next === 'nothing' ? next : 'model' })}
      />
      <SelectField
        label="Model"
        value={search.model ?? ''}
        choices={[{ value: '', label: 'All models' }, ...models]}
        onValueChange={next => onChange({ model: next || undefined })}
      />
      <SelectField
        label="Key"
        value={search.key ?? ''}
        choices={[{ value: '', label: 'All keys' }, ...keys]}
        onValueChange={next => onChange({ key: next || undefined })}
      />
      {range === 'custom' && (
        <div className="col-span-2 grid grid-cols-2 gap-3 sm:col-span-3 sm:max-w-sm lg:col-span-5">
          <DayField label="First day" value={search.from ?? today} onChange={from => onChange({ from })} />
          <DayField label="Last day" value={search.to ?? today} onChange={to => onChange({ to })} />
        </div>
      )}
    </search>
  )
}

const NO_DAYS = { from: undefined, to: undefined }

/** Whoever chooses days begins with those that are shown. */
function daysOf(span: AskedSpan | null): Pick<UsageSearch, 'from' | 'to'> {
  if (span === null) return NO_DAYS
  const offsetMs = offsetHere(new Date())
  return { from: dayOf(Date.parse(span.from), offsetMs), to: dayOf(Date.parse(span.to) - 1, offsetMs) }
}

function allowsHours({ from, to }: AskedSpan): boolean {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS <= MAX_HOURLY_DAYS
}
