import type { Order } from '#web/api/client/orders.ts'
import { OrderFacts } from '#web/orders/order-facts.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** Everything that is known of an order to its buyer. */
export function OrderDetail({ order }: { readonly order: Order }) {
  return (
    <Panel title="The order">
      <OrderFacts order={order} />
    </Panel>
  )
}
