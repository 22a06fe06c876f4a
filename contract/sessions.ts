import { z } from 'zod'
import { creditUsage } from './accounts.ts'
import { displayName, emailAddress, newPassword, page, timestamp, triedPassword } from './primitives.ts'

export const signUp = z.object({ email: emailAddress, password: newPassword, name: displayName })
export const signIn = z.object({ email: z.string().min(1).max(320), password: triedPassword })

const person = z.object({ id: z.string(), email: z.string(), name: z.string() })

export const clientMe = z.object({
  user: person,
  account: creditUsage.extend({ id: z.string(), name: z.string() }),
})

export const adminMe = z.object({ administrator: person })

export const auditEntry = z.object({
  id: z.string(),
  object: z.literal('audit_entry'),
  actor: z.object({ type: z.enum(['administrator', 'system']), id: z.string().nullable() }),
  action: z.string().describe('such as account.create'),
  target: z.object({ type: z.string(), id: z.string() }),
  before: z.unknown().nullable(),
  after: z.unknown().nullable(),
  created_at: timestamp,
})

export const auditPage = page(auditEntry)
