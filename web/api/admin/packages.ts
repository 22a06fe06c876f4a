import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { adminPackage, adminPackagePage, type createPackage, type patchPackage } from '#contract/catalog.ts'
import { callOrThrow } from '../call.ts'

export type CreditPackage = z.output<typeof adminPackage>

/** The start of every query about packages: invalidate it when one changed. */
export const PACKAGES = ['admin', 'packages'] as const

export const packagesQuery = (query: { readonly cursor?: string; readonly limit?: number } = {}) =>
  queryOptions({
    queryKey: [...PACKAGES, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/packages', query, reply: adminPackagePage, signal }),
  })

export function makePackage(body: z.input<typeof createPackage>): Promise<CreditPackage> {
  return callOrThrow({ method: 'POST', path: '/admin/packages', body, reply: adminPackage })
}

export function changePackage(id: string, body: z.input<typeof patchPackage>): Promise<CreditPackage> {
  return callOrThrow({ method: 'PATCH', path: pathOf(id), body, reply: adminPackage })
}

export function deletePackage(id: string): Promise<null> {
  return callOrThrow({ method: 'DELETE', path: pathOf(id), reply: z.null() })
}

const pathOf = (id: string) => `/admin/packages/${encodeURIComponent(id)}`
