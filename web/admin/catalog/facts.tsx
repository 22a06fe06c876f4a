import type { ReactNode } from 'react'

export type FactsProps = {
  /** By their labels. */
  readonly facts: Readonly<Record<string, ReactNode>>
}

/** What is known of a thing, line by line. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] gap-x-6 gap-y-2.5 text-sm">
      {Object.entries(facts).map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
