import type { ReactNode } from 'react'
import { useWindowTitle } from './brand.ts'

export type EmptyStateProps = {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** Whether it stands for the whole page, whose heading it then is; the window's title follows it. */
  readonly isPage?: boolean
}

/** Where something will be once there is any: says what it will be, and how to get the first. */
export function EmptyState({ title, children, action, isPage = false }: EmptyStateProps) {
  const windowTitle = useWindowTitle(title)
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line px-6 py-12 text-center">
      {isPage && <title>{windowTitle}</title>}
      <Heading className="font-semibold wrap-anywhere">{title}</Heading>
      {children !== undefined && <div className="mt-1 max-w-prose text-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  )
}
