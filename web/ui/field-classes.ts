import { classNames } from './class-names.ts'

export const labelClasses = 'text-sm font-medium text-ink'

/** Of everything that takes text or a choice. 16 pixels on phones: smaller text makes them zoom in on focus. */
export const fieldClasses = classNames(
  'h-10 w-full min-w-0 rounded-md border border-field-line bg-surface px-3 text-base text-ink sm:text-sm',
  'placeholder:text-muted data-invalid:border-bad disabled:opacity-60',
  'focus-visible:outline-offset-0',
)
