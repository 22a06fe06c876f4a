import {
  Boxes,
  Building2,
  KeyRound,
  LayoutDashboard,
  Package,
  ReceiptText,
  Server,
  ShieldUser,
  TicketPercent,
  UserRound,
  UsersRound,
} from 'lucide-react'
import type { Destination } from '#web/frame/navigation-links.tsx'

/** The pages that the navigation leads to, in its order. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Overview', Icon: LayoutDashboard },
  { to: '/accounts', label: 'Accounts', Icon: Building2 },
  { to: '/users', label: 'Users', Icon: UsersRound },
  { to: '/keys', label: 'Keys', Icon: KeyRound },
  { to: '/providers', label: 'Providers', Icon: Server },
  { to: '/models', label: 'Models', Icon: Boxes },
  { to: '/orders', label: 'Orders', Icon: ReceiptText },
  { to: '/packages', label: 'Packages', Icon: Package },
  { to: '/promo-codes', label: 'Promotional codes', Icon: TicketPercent },
  { to: '/administrators', label: 'Administrators', Icon: ShieldUser },
  { to: '/account', label: 'Your account', Icon: UserRound },
]
