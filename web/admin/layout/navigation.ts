import {
  ArrowLeftRight,
  Boxes,
  Building2,
  History,
  KeyRound,
  LayoutDashboard,
  Package,
  ReceiptText,
  Server,
  Settings2,
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
  { to: '/requests', label: 'Requests', Icon: ArrowLeftRight },
  { to: '/orders', label: 'Orders', Icon: ReceiptText },
  { to: '/packages', label: 'Packages', Icon: Package },
  { to: '/promo-codes', label: 'Promotional codes', Icon: TicketPercent },
  { to: '/audit', label: 'Audit log', Icon: History },
  { to: '/settings', label: 'Settings', Icon: Settings2 },
  { to: '/administrators', label: 'Administrators', Icon: ShieldUser },
  { to: '/account', label: 'Your account', Icon: UserRound },
]
