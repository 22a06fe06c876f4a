import type { OrderState } from '#contract/orders.ts'
import { Badge, type BadgeProps } from '#web/ui/badge.tsx'

type StateWords = { readonly word: string; readonly tone: BadgeProps['tone'] }

/** What the states of an order are called. */
export const ORDER_STATES: Readonly<Record<OrderState, StateWords>> = {
  created: { word: 'Being opened', tone: 'plain' },
  awaiting_payment: { word: 'Awaiting payment', tone: 'gold' },
  paid: { word: 'Paid', tone: 'good' },
  refunded: { word: 'Refunded', tone: 'plain' },
  disputed: { word: 'Disputed', tone: 'warn' },
  expired: { word: 'Expired', tone: 'plain' },
  failed: { word: 'Failed', tone: 'bad' },
}

/** How an order stands, in a word. */
export function StateBadge({ state }: { readonly state: OrderState }) {
  const { word, tone } = ORDER_STATES[state]
  return <Badge tone={tone}>{word}</Badge>
}
