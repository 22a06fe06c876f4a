import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ordersQuery } from '#web/api/client/orders.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { OrderTable } from './order-table.tsx'

/** Everything that was ever ordered, newest first. */
export function Orders() {
  const pages = useCursorPages()
  const orders = useQuery({ ...ordersQuery({ cursor: pages.cursor }), placeholderData: keepPreviousData })
  return (
    <ListPage
      what="orders"
      query={orders}
      pages={pages}
      failureTitle="Your orders could not be loaded"
      skeletonRows={3}
      empty={<EmptyState title="No orders yet">What you buy is listed here, with its receipts.</EmptyState>}
    >
      {rows => <OrderTable orders={rows} />}
    </ListPage>
  )
}
