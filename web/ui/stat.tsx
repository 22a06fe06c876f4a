import type { ReactNode } from 'react'

export type StatProps = {
  readonly label: ReactNode
  readonly children: ReactNode
  readonly note?: ReactNode
}

/** One figure with its name. Stands in a `dl`. */
export function Stat({ label, children, note }: StatProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="figures text-2xl font-semibold tracking-tight">{children}</dd>
      {note !== undefined && <dd className="text-sm text-muted">{note}</dd>}
    </div>
  )
}
