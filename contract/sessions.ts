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

/** What people see of how they sign in: the same in both realms. */
export const profile = person.extend({
  object: z.literal('profile'),
  email_verified: z.boolean(),
  has_password: z.boolean().describe('false for somebody who signs in through another service alone'),
})

export const patchProfile = z.object({ name: displayName })

export const changePassword = z.object({
  current_password: triedPassword.optional().describe('may be left out by somebody who has none'),
  new_password: newPassword,
})

export const session = z.object({
  id: z.string(),
  object: z.literal('session'),
  created_at: timestamp,
  last_seen_at: timestamp.describe('to within five minutes'),
  expires_at: timestamp,
  user_agent: z.string().nullable().describe('such as Firefox on Linux'),
  address: z.string().nullable().describe('the address that opened it'),
  current: z.boolean().describe('whether it is the one that asks'),
})

export const sessionPage = page(session)

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
