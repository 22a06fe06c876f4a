import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configQuery, type Realm } from '#web/api/identity.ts'
import { GOLDWEIGHT } from '#web/ui/brand.ts'
import { Branded } from '#web/ui/branded.tsx'

export type BrandedApplicationProps = { readonly realm: Realm; readonly children: ReactNode }

/** An application in the name and the colour that the operator gave the service. */
export function BrandedApplication({ realm, children }: BrandedApplicationProps) {
  // All that is cached is forgotten when somebody leaves; how the service looks does not change by that.
  const { data: config } = useQuery({ ...configQuery(realm), placeholderData: keepPreviousData })
  return <Branded brand={config ?? GOLDWEIGHT}>{children}</Branded>
}
