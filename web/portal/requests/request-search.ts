import { z } from 'zod'
import type { RequestQuery } from '#web/api/client/requests.ts'
import { midnight } from '#web/usage/midnight.ts'

const text = z.string().optional().catch(undefined)
const date = z.iso.date().optional().catch(undefined)

/** Which requests are looked at; it stands in the address. Days are those of the reader, the last one included. */
export const requestSearch = z.object({
  status: z.enum(['succeeded', 'failed', 'cancelled']).optional().catch(undefined),
  model: text,
  key: text,
  from: date,
  to: date,
})

export type RequestSearch = z.output<typeof requestSearch>

/** What to ask the service for. */
export function readRequestQuery({ status, model, key, from, to }: RequestSearch): RequestQuery {
  return {
    ...(status === undefined ? {} : { status }),
    ...(model === undefined ? {} : { model }),
    ...(key === undefined ? {} : { key_id: key }),
    ...(from === undefined ? {} : { from: midnight(from, 0) }),
    ...(to === undefined ? {} : { to: midnight(to, 1) }),
  }
}
