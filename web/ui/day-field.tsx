import { Field } from '@base-ui/react/field'
import { fieldClasses, labelClasses } from './field-classes.ts'

export type DayFieldProps = {
  readonly label: string
  /** Such as `2026-11-21`. */
  readonly value: string | undefined
  readonly onChange: (next: string | undefined) => void
}

/** A day by the browser's own control, or none. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <Field.Root className="flex min-w-0 flex-col gap-1.5">
      <Field.Label className={labelClasses}>{label}</Field.Label>
      <Field.Control
        type="date"
        value={value ?? ''}
        onChange={event => onChange(event.target.value || undefined)}
        className={fieldClasses}
      />
    </Field.Root>
  )
}
