import { Form as BaseForm } from '@base-ui/react/form'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Notice } from './notice.tsx'

export type FormProps = {
  /** Errors by the name of the field; the first of them gets the focus. */
  readonly errors?: Readonly<Record<string, string>>
  /** What went wrong with the whole of it, beyond any one field. */
  readonly failure?: ReactNode
  readonly onFormSubmit: (values: Record<string, unknown>) => void
  readonly children: ReactNode
  readonly className?: string
}

/** Fields and the button that sends them. Errors are tied to their fields, and read aloud when they appear. */
export function Form({ errors, failure, onFormSubmit, children, className }: FormProps) {
  return (
    <BaseForm
      errors={errors}
      onFormSubmit={onFormSubmit}
      className={classNames('flex flex-col gap-5', className)}
    >
      <div role="alert" className="empty:hidden">
        {failure ? <Notice tone="bad">{failure}</Notice> : null}
      </div>
      {children}
    </BaseForm>
  )
}
