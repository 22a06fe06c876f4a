import { Form as BaseForm } from '@base-ui/react/form'
import { type ReactNode, useEffect, useRef } from 'react'
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
  const form = useRef<HTMLFormElement>(null)
  /** Whether it was sent, and nobody has written into it since. */
  const wasSent = useRef(false)
  useEffect(() => {
    // Errors that come from the service come late: the form itself gives the focus only to those that are there at once.
    if (!wasSent.current || !errors || Object.keys(errors).length === 0) return
    const frame = requestAnimationFrame(() => {
      wasSent.current = false
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [errors])
  const failureText = useRef<HTMLDivElement>(null)
  const isFailed = Boolean(failure)
  useEffect(() => {
    // In a long dialog it would stand out of sight.
    if (isFailed) failureText.current?.scrollIntoView({ block: 'nearest' })
  }, [isFailed])
  return (
    <BaseForm
      ref={form}
      errors={errors}
      onFormSubmit={values => {
        wasSent.current = true
        onFormSubmit(values)
      }}
      onInput={() => {
        wasSent.current = false
      }}
      className={classNames('flex flex-col gap-5', className)}
    >
      <div ref={failureText} role="alert" className="empty:hidden">
        {failure ? <Notice tone="bad">{failure}</Notice> : null}
      </div>
      {children}
    </BaseForm>
  )
}
