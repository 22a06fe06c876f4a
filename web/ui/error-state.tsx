import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export type ErrorStateProps = {
  readonly title: string
  readonly children?: ReactNode
  /** By which the operator finds the failure in the log. */
  readonly requestId?: string | null
  readonly onRetry?: () => void
  readonly retrying?: boolean
}

/** Where something should be and could not be fetched: what happened, and the way to try again. */
export function ErrorState({ title, children, requestId, onRetry, retrying }: ErrorStateProps) {
  return (
    <div role="alert" className="rounded-lg border border-bad/40 bg-bad-soft px-5 py-4">
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="mt-1 text-sm">{children}</div>}
      {requestId && (
        <p className="mt-2 text-xs text-muted">
          Request <code className="font-mono break-all">{requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button className="mt-4" size="small" onClick={onRetry} pending={retrying}>
          Try again
        </Button>
      )}
    </div>
  )
}
