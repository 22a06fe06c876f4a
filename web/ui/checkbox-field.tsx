import { Checkbox } from '@base-ui/react/checkbox'
import { Field } from '@base-ui/react/field'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type CheckboxFieldProps = {
  /** What the value is called in the form. */
  readonly name: string
  readonly label: ReactNode
  readonly description?: ReactNode
  readonly defaultChecked?: boolean
  readonly onCheckedChange?: (checked: boolean) => void
}

/** Something that is so or not. Stands in a `Form`, whose value of this name is a boolean. */
export function CheckboxField(props: CheckboxFieldProps) {
  const { name, label, description, defaultChecked, onCheckedChange } = props
  return (
    <Field.Root name={name} className="flex flex-col gap-1">
      <Field.Label className="flex cursor-pointer items-center gap-2.5 text-sm font-medium">
        <Checkbox.Root
          defaultChecked={defaultChecked}
          onCheckedChange={onCheckedChange}
          className={classNames(
            'flex size-5 shrink-0 cursor-pointer items-center justify-center rounded border border-field-line bg-surface',
            'data-checked:border-gold-fill data-checked:bg-gold-fill data-checked:text-on-gold',
          )}
        >
          <Checkbox.Indicator>
            <Check className="size-4" aria-hidden="true" />
          </Checkbox.Indicator>
        </Checkbox.Root>
        {label}
      </Field.Label>
      {description !== undefined && (
        <Field.Description className="ml-7.5 text-sm text-muted">{description}</Field.Description>
      )}
      <Field.Error className="ml-7.5 text-sm text-bad" />
    </Field.Root>
  )
}
