import type { Order } from '#web/api/client/orders.ts'
import { StateBadge } from '#web/orders/state-badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'

/** How an order stands, and until when it can be paid. */
export function OrderState({ order: { state, expires_at } }: { readonly order: Order }) {
  return (
    <span className="inline-flex flex-col items-start gap-1 max-sm:items-end">
      <StateBadge state={state} />
      {state === 'awaiting_payment' && expires_at !== null && (
        <span className="text-xs text-muted">
          until <DateTime value={expires_at} />
        </span>
      )}
    </span>
  )
}
