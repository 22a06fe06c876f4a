import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '#web/api/admin/session.ts'

export type Permissions = {
  /** Customers, the catalogue, orders: operators and owners. */
  readonly mayChange: boolean
  /** Administrators and settings: owners alone. */
  readonly mayDecide: boolean
}

/** What the administrator who is signed in may do: what is not theirs to do is not offered. */
export function usePermissions(): Permissions {
  const { data: me } = useQuery(meQuery)
  const role = me?.administrator.role
  return { mayChange: role === 'owner' || role === 'operator', mayDecide: role === 'owner' }
}

/** What only those see who may change things: operators and owners. */
export function ForOperators({ children }: { readonly children: ReactNode }) {
  return usePermissions().mayChange ? children : null
}

/** What only owners see. */
export function ForOwners({ children }: { readonly children: ReactNode }) {
  return usePermissions().mayDecide ? children : null
}
