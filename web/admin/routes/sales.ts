import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { orderState } from '#contract/orders.ts'
import { searched } from '../layout/searched.ts'
import { signedIn } from './signed-in.ts'

const orders = createRoute({ getParentRoute: () => signedIn, path: '/orders' })

const orderList = createRoute({
  getParentRoute: () => orders,
  path: '/',
  validateSearch: searched.extend({
    state: orderState.optional().catch(undefined),
    account: z.string().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('../pages/orders-page.tsx'), 'OrdersPage'),
})

const order = createRoute({
  getParentRoute: () => orders,
  path: '$orderId',
  component: lazyRouteComponent(() => import('../pages/order-page.tsx'), 'OrderPage'),
})

const packages = createRoute({
  getParentRoute: () => signedIn,
  path: '/packages',
  component: lazyRouteComponent(() => import('../pages/packages-page.tsx'), 'PackagesPage'),
})

const promoCodes = createRoute({
  getParentRoute: () => signedIn,
  path: '/promo-codes',
  component: lazyRouteComponent(() => import('../pages/promo-codes-page.tsx'), 'PromoCodesPage'),
})

/** What is sold, to whom, and what is given away by a code. */
export const saleRoutes = [orders.addChildren([orderList, order]), packages, promoCodes] as const
