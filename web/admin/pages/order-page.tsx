import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Order, orderQuery } from '#web/api/admin/orders.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { Fact, OrderFacts } from '#web/orders/order-facts.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { OrderActions } from '../orders/order-actions.tsx'

const route = getRouteApi('/signed-in/orders/$orderId')

export function OrderPage() {
  const { orderId } = route.useParams()
  const order = useQuery(orderQuery(orderId))
  return (
    <>
      <BackLink to="/orders">Orders</BackLink>
      {order.isPending && <OrderSkeleton />}
      {order.data && <ShownOrder order={order.data} />}
      {order.error?.status === 404 ? (
        <EmptyState
          title="There is no such order"
          isPage
          action={
            <Link to="/orders" className={buttonClasses({ look: 'primary' })}>
              See all orders
            </Link>
          }
        />
      ) : (
        <QueryFailure query={order} title="The order could not be loaded" />
      )}
    </>
  )
}

function ShownOrder({ order }: { readonly order: Order }) {
  return (
    <>
      <PageHeader title={order.package.name} action={<OrderActions order={order} />} />
      {order.problem !== null && (
        <div className="mb-6">
          <Notice tone="bad" title="What went wrong">
            {order.problem}
          </Notice>
        </div>
      )}
      <Panel title="The order">
        <OrderFacts order={order}>
          {order.payment_reference !== null && (
            <Fact name="Payment at the processor">
              <code className="font-mono text-xs break-all">{order.payment_reference}</code>
            </Fact>
          )}
          {order.note !== '' && <Fact name="Note">{order.note}</Fact>}
        </OrderFacts>
      </Panel>
      <Panel title="Who ordered it" className="mt-6">
        <dl className="grid gap-x-10 text-sm sm:grid-cols-2">
          <Fact name="Account">
            <Link
              to="/accounts/$accountId"
              params={{ accountId: order.account_id }}
              className={textLinkClasses}
            >
              {order.account.name}
            </Link>
          </Fact>
          <Fact name="Owner">{order.account.owner_email}</Fact>
          <Fact name="Number">
            <code className="font-mono text-xs break-all">{order.account_id}</code>
          </Fact>
          <Fact name="Orders">
            <Link to="/orders" search={{ account: order.account_id }} className={textLinkClasses}>
              See all of its orders
            </Link>
          </Fact>
        </dl>
      </Panel>
    </>
  )
}

function OrderSkeleton() {
  return (
    <div role="status" aria-label="Loading the order" className="flex flex-col gap-6">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-80" />
    </div>
  )
}
