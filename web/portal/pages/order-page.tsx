import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { refreshCredits } from '#web/api/client/credits.ts'
import { orderQuery } from '#web/api/client/orders.ts'
import { meQuery } from '#web/api/client/session.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { BalanceFigures } from '#web/ledger/balance-figures.tsx'
import { OrderFacts } from '#web/orders/order-facts.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { OrderStanding } from '../credits/order-standing.tsx'

const route = getRouteApi('/signed-in/credits/orders/$orderId')

/** Where buyers come back to from the payment page. It only looks: what is credited is decided by the payment alone. */
export function OrderPage() {
  const { orderId } = route.useParams()
  const { cancelled } = route.useSearch()
  const queryClient = useQueryClient()
  const order = useQuery(orderQuery(orderId))
  const { data: me } = useQuery(meQuery)
  const state = order.data?.state
  useEffect(() => {
    if (state !== undefined) void refreshCredits(queryClient)
  }, [queryClient, state])
  return (
    <>
      <BackLink to="/credits">Credits</BackLink>
      {order.isPending && <OrderSkeleton />}
      {order.data && (
        <>
          <PageHeader title={order.data.package.name} />
          <div className="flex flex-col gap-6">
            <OrderStanding order={order.data} isBack={cancelled !== undefined} />
            <Panel title="Balance">{me && <BalanceFigures account={me.account} />}</Panel>
            <Panel title="The order">
              <OrderFacts order={order.data} />
            </Panel>
          </div>
        </>
      )}
      {order.error?.status === 404 ? (
        <EmptyState
          title="There is no such order"
          isPage
          action={
            <Link to="/credits" className={buttonClasses({ look: 'primary' })}>
              See your credits
            </Link>
          }
        >
          Your account has no order of this number.
        </EmptyState>
      ) : (
        <QueryFailure query={order} title="The order could not be loaded" />
      )}
    </>
  )
}

function OrderSkeleton() {
  return (
    <div role="status" aria-label="Loading the order" className="flex flex-col gap-6">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-28" />
      <Skeleton className="h-72" />
    </div>
  )
}
