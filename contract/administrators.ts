import { z } from 'zod'
import { displayName, emailAddress, newPassword, page, timestamp } from './primitives.ts'

/**
 * What an administrator may do. A viewer sees everything and changes nothing; an operator runs the service; an owner
 * also decides about other administrators and the settings.
 */
export const administratorRole = z.enum(['owner', 'operator', 'viewer'])
export type AdministratorRole = z.infer<typeof administratorRole>

export const administrator = z.object({
  id: z.string(),
  object: z.literal('administrator'),
  email: z.string(),
  name: z.string(),
  role: administratorRole,
  status: z.enum(['active', 'disabled']),
  two_factor: z.boolean().describe('whether signing in takes a second factor'),
  created_at: timestamp,
})

export type AdministratorRecord = z.infer<typeof administrator>

export const administratorPage = page(administrator)

export const createAdministrator = z.object({
  email: emailAddress,
  name: displayName,
  password: newPassword,
  role: administratorRole,
})

export const patchAdministrator = z.object({
  name: displayName.optional(),
  role: administratorRole.optional(),
  status: z.enum(['active', 'disabled']).optional(),
  password: newPassword.optional(),
})
