import { type ReactNode, useLayoutEffect, useRef } from 'react'

export type DisclosureProps = {
  readonly summary: ReactNode
  /** What of it is open already when the page is shown. */
  readonly isOpen?: boolean
  /** Something inside is wrong: it opens, so that the field can be seen and can take the focus. */
  readonly hasError?: boolean
  readonly children: ReactNode
}

/** What most people need not look at, behind a line that says what it is. */
export function Disclosure({ summary, isOpen = false, hasError = false, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null)
  useLayoutEffect(() => {
    if (details.current && (isOpen || hasError)) details.current.open = true
  }, [isOpen, hasError])
  return (
    <details ref={details} className="rounded-md border border-line px-4 py-3">
      <summary className="cursor-pointer text-sm font-medium">{summary}</summary>
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </details>
  )
}
