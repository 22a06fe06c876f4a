import { Field } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { fieldClasses, labelClasses } from './field-classes.ts'

export type TextFieldProps = Omit<ComponentProps<typeof Field.Control>, 'className'> & {
  /** What the value is called in the form; errors of this name are shown here. */
  readonly name: string
  readonly label: ReactNode
  readonly description?: ReactNode
  /** Something that stands in the field's row, behind the field. */
  readonly action?: ReactNode
}

/** A labelled line of text whose errors are tied to it. Stands in a `Form`. */
export function TextField({ name, label, description, action, ...control }: TextFieldProps) {
  return (
    <Field.Root name={name} className="flex flex-col gap-1.5">
      <Field.Label className={labelClasses}>{label}</Field.Label>
      <div className="flex gap-2">
        <Field.Control {...control} className={fieldClasses} />
        {action}
      </div>
      {description !== undefined && (
        <Field.Description className="text-sm text-muted">{description}</Field.Description>
      )}
      <Field.Error className="text-sm text-bad" />
    </Field.Root>
  )
}
