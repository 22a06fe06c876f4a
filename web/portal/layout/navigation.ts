import {
  Boxes,
  ChartColumn,
  Coins,
  KeyRound,
  LayoutDashboard,
  MessagesSquare,
  ReceiptText,
  UserRound,
} from 'lucide-react'
import type { Destination } from '#web/frame/navigation-links.tsx'

/** The pages that the navigation leads to, in its order. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Overview', Icon: LayoutDashboard },
  { to: '/keys', label: 'Keys', Icon: KeyRound },
  { to: '/usage', label: 'Usage', Icon: ChartColumn },
  { to: '/requests', label: 'Requests', Icon: ReceiptText },
  { to: '/models', label: 'Models', Icon: Boxes },
  { to: '/playground', label: 'Playground', Icon: MessagesSquare },
  { to: '/credits', label: 'Credits', Icon: Coins },
  { to: '/account', label: 'Account', Icon: UserRound },
]
