import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Order, receiptUrl } from '#web/api/client/orders.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { Notice, type NoticeProps } from '#web/ui/notice.tsx'
import { InvoiceInstructions } from './invoice-instructions.tsx'

export type OrderStandingProps = {
  readonly order: Order
  /** Whether the buyer came back from the payment page without paying. */
  readonly isBack: boolean
}

/** Where an order stands, and what its buyer can do now. It is read aloud when it changes. */
export function OrderStanding({ order, isBack }: OrderStandingProps) {
  return <div role="status">{standingOf(order, isBack)}</div>
}

function standingOf(order: Order, isBack: boolean): ReactNode {
  switch (order.state) {
    case 'created':
      return <Standing title="The payment is being made">This takes a moment.</Standing>
    case 'awaiting_payment':
      return <Awaiting order={order} isBack={isBack} />
    case 'paid':
      return <Paid order={order} />
    case 'refunded':
      return <Standing title="This order was paid back">Its credits were taken back with it.</Standing>
    case 'disputed':
      return (
        <Standing tone="warn" title="The payment is disputed">
          The payer's bank holds the money, so the credits of this order were taken back. They return if the
          dispute ends in favour of the operator.
        </Standing>
      )
    case 'expired':
      return (
        <Standing title="Nobody paid in time" action={<BuyAgain />}>
          Nothing was charged. A payment that is still under way is credited when it comes.
        </Standing>
      )
    case 'failed':
      return (
        <Standing tone="bad" title="The payment failed" action={<BuyAgain />}>
          {order.problem ?? 'Nothing was charged.'}
        </Standing>
      )
  }
}

function Awaiting({ order: { payment, expires_at }, isBack }: OrderStandingProps) {
  if (payment?.kind === 'instructions') return <InvoiceInstructions text={payment.text} />
  const goOn = payment && (
    <a href={payment.url} className={buttonClasses({ look: isBack ? 'primary' : 'plain' })}>
      Go to payment
    </a>
  )
  if (isBack) {
    return (
      <Standing title="You have not paid yet" action={goOn}>
        Nothing was charged. You can go on with the payment
        {expires_at !== null && (
          <>
            {' '}
            until <DateTime value={expires_at} />
          </>
        )}
        , or leave it.
      </Standing>
    )
  }
  return (
    <Standing tone="gold" title="Waiting for the payment to be confirmed" action={goOn}>
      This page follows by itself, mostly within seconds. If you have not paid yet, go on to the payment.
    </Standing>
  )
}

function Paid({ order }: { readonly order: Order }) {
  const { credits, credits_taken_back: takenBack, refunded } = order
  return (
    <Standing
      tone="good"
      title={`${formatCredits(credits, { minDecimals: 0 })} credits are yours`}
      action={
        <a href={receiptUrl(order.id)} target="_blank" rel="noreferrer" className={buttonClasses()}>
          See the receipt
        </a>
      }
    >
      {refunded.amount > 0
        ? `${formatMoney(refunded.amount, refunded.currency)} of the price were paid back, and ${formatCredits(takenBack)} credits taken back with it.`
        : 'They are on your balance, and every key of your account can use them.'}
    </Standing>
  )
}

function BuyAgain() {
  return (
    <Link to="/credits" className={buttonClasses({ look: 'primary' })}>
      Choose a package
    </Link>
  )
}

type StandingProps = Pick<NoticeProps, 'tone'> & {
  readonly title: string
  readonly action?: ReactNode
  readonly children: ReactNode
}

function Standing({ tone, title, action, children }: StandingProps) {
  return (
    <Notice tone={tone} title={title}>
      <p>{children}</p>
      {action && <div className="mt-4">{action}</div>}
    </Notice>
  )
}
