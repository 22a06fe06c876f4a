import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { fieldClasses, labelClasses } from './field-classes.ts'

export type Choice = { readonly value: string; readonly label: string }

export type SelectFieldProps = Omit<ComponentProps<'select'>, 'className' | 'onChange'> & {
  readonly label: ReactNode
  readonly choices: readonly Choice[]
  /** Only read aloud, where the place makes clear to the eye what is chosen. */
  readonly hideLabel?: boolean
  readonly onValueChange?: (value: string) => void
}

/**
 * A choice of one among few. The browser's own control: it is known to every hand, opens as a wheel on phones, and
 * answers typing.
 */
export function SelectField({
  label,
  choices,
  hideLabel = false,
  onValueChange,
  ...select
}: SelectFieldProps) {
  return (
    <Field.Root name={select.name} className="flex min-w-0 flex-col gap-1.5">
      <Field.Label className={hideLabel ? 'sr-only' : labelClasses}>{label}</Field.Label>
      <Field.Control
        render={<select {...select} onChange={event => onValueChange?.(event.target.value)} />}
        className={classNames(fieldClasses, 'chevron appearance-none pr-9')}
      >
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Field.Control>
      <Field.Error className="text-sm text-bad" />
    </Field.Root>
  )
}
