import { useState } from 'react'
import type { Order } from '#web/api/admin/orders.ts'
import { Button } from '#web/ui/button.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { MarkPaidDialog } from './mark-paid-dialog.tsx'
import { RefundDialog } from './refund-dialog.tsx'

const UNPAID: readonly Order['state'][] = ['created', 'awaiting_payment', 'expired', 'failed']

/** What can be done with an order, as it stands. */
export function OrderActions({ order }: { readonly order: Order }) {
  const [asking, setAsking] = useState<'paid' | 'refund' | null>(null)
  const close = () => setAsking(null)
  const canBeMarked = order.processor === 'invoice' && UNPAID.includes(order.state)
  const canBePaidBack = order.state === 'paid' && order.refunded.amount < order.price.amount
  return (
    <ForOperators>
      {canBeMarked && (
        <Button look="primary" onClick={() => setAsking('paid')}>
          Mark paid
        </Button>
      )}
      {canBePaidBack && <Button onClick={() => setAsking('refund')}>Pay back</Button>}
      <MarkPaidDialog order={order} open={asking === 'paid'} onClose={close} />
      <RefundDialog order={order} open={asking === 'refund'} onClose={close} />
    </ForOperators>
  )
}
