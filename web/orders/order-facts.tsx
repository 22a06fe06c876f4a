import type { ReactNode } from 'react'
import type { OrderRecord, ProcessorName } from '#contract/orders.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { StateBadge } from './state-badge.tsx'

/** What the ways to pay are called. */
export const PROCESSOR_WORDS: Readonly<Record<ProcessorName, string>> = {
  stripe: 'Card or wallet (Stripe)',
  invoice: 'Invoice',
}

export type OrderFactsProps = {
  readonly order: OrderRecord
  /** What else is known of it: `Fact`s. */
  readonly children?: ReactNode
}

/** Everything that is known of an order. */
export function OrderFacts({ order, children }: OrderFactsProps) {
  const { price, refunded } = order
  return (
    <dl className="grid gap-x-10 text-sm sm:grid-cols-2">
      <Fact name="State">
        <StateBadge state={order.state} />
      </Fact>
      <Fact name="Package">{order.package.name}</Fact>
      <Fact name="Credits">{formatCredits(order.credits)}</Fact>
      <Fact name="Price">{formatMoney(price.amount, price.currency)}</Fact>
      {refunded.amount > 0 && <Fact name="Paid back">{formatMoney(refunded.amount, refunded.currency)}</Fact>}
      {order.credits_taken_back > 0 && (
        <Fact name="Credits taken back">{formatCredits(order.credits_taken_back)}</Fact>
      )}
      <Fact name="Paid by">
        {PROCESSOR_WORDS[order.processor]}
        {order.automatic && ', automatic top-up'}
      </Fact>
      <Fact name="Ordered">
        <DateTime value={order.created_at} />
      </Fact>
      {order.paid_at !== null && (
        <Fact name="Paid">
          <DateTime value={order.paid_at} />
        </Fact>
      )}
      <Fact name="Number">
        <code className="font-mono text-xs break-all">{order.id}</code>
      </Fact>
      {children}
    </dl>
  )
}

/** One thing that is known of an order. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b border-line py-2.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="figures min-w-0 text-right break-words">{children}</dd>
    </div>
  )
}
