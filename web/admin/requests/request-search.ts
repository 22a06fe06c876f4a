import { z } from 'zod'
import type { RequestQuery } from '#web/api/admin/requests.ts'
import { midnight } from '#web/usage/midnight.ts'

const text = z.string().optional().catch(undefined)
const date = z.iso.date().optional().catch(undefined)

/** Which requests are looked for; it stands in the address. Days are those of the reader, the last one included. */
export const requestSearch = z.object({
  id: text,
  account: text,
  key: text,
  model: text,
  provider: text,
  status: z.enum(['succeeded', 'failed', 'cancelled']).optional().catch(undefined),
  from: date,
  to: date,
})

export type RequestSearch = z.output<typeof requestSearch>

/** What to ask the service for. */
export function readRequestQuery({ account, key, from, to, ...search }: RequestSearch): RequestQuery {
  const query = {
    ...search,
    account_id: account,
    key_id: key,
    from: from && midnight(from, 0),
    to: to && midnight(to, 1),
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
}
