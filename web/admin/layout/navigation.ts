import {
  Boxes,
  Building2,
  KeyRound,
  LayoutDashboard,
  Server,
  ShieldUser,
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
  { to: '/administrators', label: 'Administrators', Icon: ShieldUser },
  { to: '/account', label: 'Your account', Icon: UserRound },
]
