import { z } from 'zod'
import type { auditQuery } from '#contract/sessions.ts'
import { midnight } from '#web/usage/midnight.ts'

const text = z.string().optional().catch(undefined)
const date = z.iso.date().optional().catch(undefined)

/** Which changes are looked for; it stands in the address. Days are those of the reader, the last one included. */
export const auditSearch = z.object({
  actor: text,
  action: text,
  type: text,
  target: text,
  from: date,
  to: date,
})

export type AuditSearch = z.output<typeof auditSearch>

/** What to ask the service for. */
export function readAuditQuery(search: AuditSearch): Partial<z.output<typeof auditQuery>> {
  const { actor, action, type, target, from, to } = search
  const query = {
    actor_id: actor,
    action,
    target_type: type,
    target_id: target,
    from: from && midnight(from, 0),
    to: to && midnight(to, 1),
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))
}
