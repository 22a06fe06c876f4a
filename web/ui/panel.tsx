import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type PanelProps = {
  readonly title?: ReactNode
  /** What stands at the end of the title's line. */
  readonly action?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** A part of a page with a border of its own. */
export function Panel({ title, action, children, className }: PanelProps) {
  return (
    <section className={classNames('min-w-0 rounded-lg border border-line bg-surface p-5', className)}>
      {title !== undefined && (
        <div className="mb-4 flex min-h-8 flex-wrap items-center justify-between gap-3">
          <h2 className="text-base font-semibold">{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
