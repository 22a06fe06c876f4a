import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  administrator,
  administratorPage,
  type createAdministrator,
  type patchAdministrator,
} from '#contract/administrators.ts'
import { callOrThrow } from '../call.ts'

export type Administrator = z.output<typeof administrator>

/** The start of every query about administrators. */
export const ADMINISTRATORS = ['admin', 'administrators'] as const

export const administratorsQuery = (query: { readonly cursor?: string } = {}) =>
  queryOptions({
    queryKey: [...ADMINISTRATORS, query],
    queryFn: ({ signal }) =>
      callOrThrow({ path: '/admin/administrators', query, reply: administratorPage, signal }),
  })

export function makeAdministrator(body: z.input<typeof createAdministrator>): Promise<Administrator> {
  return callOrThrow({ method: 'POST', path: '/admin/administrators', body, reply: administrator })
}

export function changeAdministrator(
  id: string,
  body: z.input<typeof patchAdministrator>,
): Promise<Administrator> {
  const path = `/admin/administrators/${encodeURIComponent(id)}`
  return callOrThrow({ method: 'PATCH', path, body, reply: administrator })
}
