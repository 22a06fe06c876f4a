import { Link, type LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { navigationLinkClasses } from '#web/ui/app-shell.tsx'

export type Destination = {
  /** An address of the router. */
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly Icon: LucideIcon
}

export type NavigationLinksProps = {
  readonly destinations: readonly Destination[]
  readonly onFollow: () => void
}

/** The links to the pages that the navigation leads to, in their order. */
export function NavigationLinks({ destinations, onFollow }: NavigationLinksProps) {
  return destinations.map(({ to, label, Icon }) => (
    <Link
      key={to}
      to={to}
      activeOptions={{ exact: to === '/' }}
      className={navigationLinkClasses}
      onClick={onFollow}
    >
      <Icon className="size-4.5" aria-hidden="true" />
      {label}
    </Link>
  ))
}
