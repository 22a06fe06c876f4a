import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ordersQuery } from '#web/api/client/orders.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { OrderTable } from './order-table.tsx'

/** Everything that was ever ordered, newest first. */
export function Orders() {
  const pages = useCursorPages()
  const orders = useQuery({ ...ordersQuery({ cursor: pages.cursor }), placeholderData: keepPreviousData })
  return (
    <>
      {orders.isPending && <SkeletonRows rows={3} label="Loading orders" />}
      {orders.isError && (
        <ErrorState
          title="Your orders could not be loaded"
          requestId={orders.error.requestId}
          onRetry={() => void orders.refetch()}
          retrying={orders.isFetching}
        >
          {orders.error.message}
        </ErrorState>
      )}
      {orders.data?.data.length === 0 && (
        <EmptyState title="No orders yet">What you buy is listed here, with its receipts.</EmptyState>
      )}
      {orders.data && orders.data.data.length > 0 && <OrderTable orders={orders.data.data} />}
      {orders.data && (
        <Pagination
          label="Pages of orders"
          hasNewer={pages.hasNewer}
          hasOlder={orders.data.next_cursor !== null}
          onNewer={pages.newer}
          onOlder={() => orders.data?.next_cursor && pages.older(orders.data.next_cursor)}
          pending={orders.isFetching}
        />
      )}
    </>
  )
}
