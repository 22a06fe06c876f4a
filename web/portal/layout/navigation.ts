import { KeyRound, LayoutDashboard, type LucideIcon } from 'lucide-react'

export type Destination = {
  /** An address of the router. */
  readonly to: '/' | '/keys'
  readonly label: string
  readonly Icon: LucideIcon
}

/** The pages that the navigation leads to, in its order. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/', label: 'Overview', Icon: LayoutDashboard },
  { to: '/keys', label: 'Keys', Icon: KeyRound },
]
