import type { ReactNode } from 'react'

export type SidewaysProps = {
  /** What is in it, read aloud. */
  readonly label: string
  readonly children: ReactNode
}

/** What may be wider than its place, such as a table of many columns: scrolls by itself, by keyboard too. */
export function Sideways({ label, children }: SidewaysProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
      tabIndex={0}
      aria-label={label}
      className="-mx-1 min-w-0 overflow-x-auto px-1 focus-visible:-outline-offset-2"
    >
      {children}
    </section>
  )
}
