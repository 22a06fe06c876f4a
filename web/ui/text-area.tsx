import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { fieldClasses, labelClasses } from './field-classes.ts'

export type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'onChange'> & {
  readonly label: ReactNode
  readonly description?: ReactNode
  /** Only read aloud, where the place makes clear to the eye what is written. */
  readonly hideLabel?: boolean
  readonly onValueChange?: (value: string) => void
}

/** Several lines of text; it grows with what is written, up to a third of the window. */
export function TextArea({ label, description, hideLabel = false, onValueChange, ...area }: TextAreaProps) {
  return (
    <Field.Root name={area.name} className="flex min-w-0 flex-1 flex-col gap-1.5">
      <Field.Label className={hideLabel ? 'sr-only' : labelClasses}>{label}</Field.Label>
      <Field.Control
        render={<textarea {...area} onChange={event => onValueChange?.(event.target.value)} />}
        className={classNames(
          fieldClasses,
          'field-sizing-content h-auto max-h-[33dvh] min-h-10 resize-none py-2',
        )}
      />
      {description !== undefined && (
        <Field.Description className="text-sm text-muted">{description}</Field.Description>
      )}
      <Field.Error className="text-sm text-bad" />
    </Field.Root>
  )
}
