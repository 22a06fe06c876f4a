import { z } from 'zod'
import {
  credits,
  displayName,
  emailAddress,
  named,
  newPassword,
  page,
  pageQuery,
  searchText,
  timestamp,
} from './primitives.ts'

export const creditStatus = z.enum(['active', 'low', 'exhausted'])

/** What an account has, as every route that shows it says it. */
export const creditUsage = z.object({
  used: credits.describe('all that was ever debited'),
  quota: credits.describe('all that was ever allocated'),
  remaining: credits.describe('what is left; never below 0'),
  credit_status: creditStatus,
})

export type CreditUsage = z.infer<typeof creditUsage>

export const quota = creditUsage.extend({ object: z.literal('quota'), account_id: z.string() })

export const account = creditUsage.extend({
  id: z.string(),
  object: z.literal('account'),
  name: z.string(),
  status: z.enum(['active', 'suspended']),
  owner: z.object({ id: z.string(), email: z.string(), name: z.string() }),
  created_at: timestamp,
  closed_at: timestamp
    .nullable()
    .describe('a closed account is suspended for good; null while it is not closed'),
  closed_by: named.nullable().describe('the administrator who closed it'),
})

export const accountPage = page(account)

export const accountQuery = pageQuery.extend({
  search: searchText.describe("a part of its name or id, or of the owner's name or e-mail"),
})

export const createAccount = z.object({
  name: displayName,
  owner: z.object({ email: emailAddress, name: displayName, password: newPassword }),
})

export const patchAccount = z.object({
  name: displayName.optional(),
  status: z.enum(['active', 'suspended']).optional(),
})

/** What cannot be done by mistake. */
export const closeAccount = z.object({
  confirm: z.string().describe('the name of the account, as it is written'),
})

export const user = z.object({
  id: z.string(),
  object: z.literal('user'),
  email: z.string(),
  name: z.string(),
  account_id: z.string(),
  status: z.enum(['active', 'disabled']),
  created_at: timestamp,
})

/** A user in a list of all. */
export const listedUser = user.extend({ account: named })

export const userPage = page(listedUser)

export const userQuery = pageQuery.extend({
  account_id: z.string().optional(),
  search: searchText.describe('a part of the name, e-mail or id'),
})

export const createUser = z.object({
  email: emailAddress,
  name: displayName,
  password: newPassword,
  account_id: z.string().optional().describe('an account to join; without it the user gets one of their own'),
})

export const patchUser = z.object({
  email: emailAddress.optional(),
  name: displayName.optional(),
  password: newPassword.optional(),
  status: z.enum(['active', 'disabled']).optional(),
})
