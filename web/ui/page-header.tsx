import type { ReactNode } from 'react'
import { useWindowTitle } from './brand.ts'

export type PageHeaderProps = {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** What a page is; the window's title follows it. */
export function PageHeader({ title, children, action }: PageHeaderProps) {
  const windowTitle = useWindowTitle(title)
  return (
    <header className="mb-8 flex flex-wrap items-start justify-between gap-4">
      <title>{windowTitle}</title>
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
        {children !== undefined && <p className="mt-1 max-w-3xl text-muted">{children}</p>}
      </div>
      {action}
    </header>
  )
}
