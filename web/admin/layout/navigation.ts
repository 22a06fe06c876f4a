import { Boxes, LayoutDashboard, Server, UserRound } from 'lucide-react'
import type { Destination } from '#web/frame/navigation-links.tsx'

/** The pages that the navigation leads to, in its order. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Overview', Icon: LayoutDashboard },
  { to: '/providers', label: 'Providers', Icon: Server },
  { to: '/models', label: 'Models', Icon: Boxes },
  { to: '/account', label: 'Your account', Icon: UserRound },
]
