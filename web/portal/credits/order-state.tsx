import type { Order } from '#web/api/client/orders.ts'
import { Badge, type BadgeProps } from '#web/ui/badge.tsx'

const STATES: Record<Order['state'], { readonly word: string; readonly tone: BadgeProps['tone'] }> = {
  created: { word: 'Being opened', tone: 'plain' },
  awaiting_payment: { word: 'Awaiting payment', tone: 'gold' },
  paid: { word: 'Paid', tone: 'good' },
  refunded: { word: 'Refunded', tone: 'plain' },
  disputed: { word: 'Disputed', tone: 'warn' },
  expired: { word: 'Expired', tone: 'plain' },
  failed: { word: 'Failed', tone: 'bad' },
}

export function OrderState({ state }: Pick<Order, 'state'>) {
  const { word, tone } = STATES[state]
  return <Badge tone={tone}>{word}</Badge>
}
