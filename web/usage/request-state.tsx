import type { RequestStatus } from '#contract/usage.ts'
import { Badge } from '#web/ui/badge.tsx'

const STATES = {
  succeeded: <Badge tone="good">Succeeded</Badge>,
  failed: <Badge tone="bad">Failed</Badge>,
  cancelled: <Badge>Cancelled</Badge>,
} as const

/** How a request ended. */
export function RequestState({ status }: { readonly status: RequestStatus }) {
  return STATES[status]
}
