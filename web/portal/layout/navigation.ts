import {
  Boxes,
  ChartColumn,
  Coins,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  UserRound,
} from 'lucide-react'

export type Destination = {
  /** An address of the router. */
  readonly to: '/' | '/keys' | '/usage' | '/models' | '/playground' | '/credits' | '/account'
  readonly label: string
  readonly Icon: LucideIcon
}

/** The pages that the navigation leads to, in its order. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Overview', Icon: LayoutDashboard },
  { to: '/keys', label: 'Keys', Icon: KeyRound },
  { to: '/usage', label: 'Usage', Icon: ChartColumn },
  { to: '/models', label: 'Models', Icon: Boxes },
  { to: '/playground', label: 'Playground', Icon: MessagesSquare },
  { to: '/credits', label: 'Credits', Icon: Coins },
  { to: '/account', label: 'Account', Icon: UserRound },
]
