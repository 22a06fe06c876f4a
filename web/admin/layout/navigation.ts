import { LayoutDashboard, UserRound } from 'lucide-react'
import type { Destination } from '#web/frame/navigation-links.tsx'

/** The pages that the navigation leads to, in its order. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Overview', Icon: LayoutDashboard },
  { to: '/account', label: 'Your account', Icon: UserRound },
]
