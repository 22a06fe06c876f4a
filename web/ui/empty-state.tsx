import type { ReactNode } from 'react'

export type EmptyStateProps = {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Where something will be once there is any: says what it will be, and how to get the first. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line px-6 py-12 text-center">
      <h2 className="font-semibold">{title}</h2>
      {children !== undefined && <div className="mt-1 max-w-prose text-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  )
}
