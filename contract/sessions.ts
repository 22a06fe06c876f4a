import { z } from 'zod'
import { creditUsage } from './accounts.ts'
import { administratorRole } from './administrators.ts'
import { branding } from './branding.ts'
import {
  displayName,
  emailAddress,
  moment,
  newPassword,
  page,
  pageQuery,
  timestamp,
  triedPassword,
} from './primitives.ts'

export const signUp = z.object({ email: emailAddress, password: newPassword, name: displayName })
export const signIn = z.object({ email: z.string().min(1).max(320), password: triedPassword })

/** What the pages before signing in need to know. */
export const publicConfig = z.object({
  object: z.literal('config'),
  ...branding.shape,
  sign_up: z.enum(['open', 'closed']),
  mail: z.boolean().describe('whether forgotten passwords and the like are handled by e-mail'),
  oidc: z
    .object({ name: z.string().describe('what its button says') })
    .nullable()
    .describe('the OpenID Connect provider to sign in through'),
})

/** What a first factor answers when a second one is due: nobody is signed in yet. */
export const secondFactorDue = z.object({ object: z.literal('second_factor_due') })

/** Six digits of the app, or a recovery code. */
const code = z.string().min(6).max(40).describe('six digits of the app, or a recovery code')

export const secondStep = z.object({ code })

const person = z.object({ id: z.string(), email: z.string(), name: z.string() })

export const clientMe = z.object({
  user: person,
  account: creditUsage.extend({ id: z.string(), name: z.string() }),
})

export const adminMe = z.object({
  administrator: person.extend({ role: administratorRole }),
  must_set_up_two_factor: z
    .boolean()
    .describe('true: all but their own sign-in is refused (403) until they have set up a second factor'),
})

/** What people see of how they sign in: the same in both realms. */
export const profile = person.extend({
  object: z.literal('profile'),
  email_verified: z.boolean(),
  has_password: z.boolean().describe('false for somebody who signs in through another service alone'),
  two_factor: z.object({ enabled: z.boolean(), recovery_codes_left: z.number().int() }),
})

export const patchProfile = z.object({ name: displayName })

/** The password again; left out by somebody who has none. */
export const proof = z.object({ current_password: triedPassword.optional() })

export const changePassword = proof.extend({ new_password: newPassword })

export const changeEmail = proof.extend({ email: emailAddress })

export const emailChange = z.object({
  object: z.literal('email_change'),
  status: z
    .enum(['confirm', 'changed'])
    .describe(
      'confirm: a mail to the new address has a link that changes it; changed: it is the address now',
    ),
})

export const forgottenPassword = z.object({ email: z.string().min(1).max(320) })

/** What stands behind the `#token=` of a link in a mail. */
const mailedToken = z.string().min(1).max(200)

export const resetPassword = z.object({ token: mailedToken, password: newPassword })

export const verifyEmail = z.object({ token: mailedToken })

export const verifiedEmail = z.object({ object: z.literal('verified_email'), email: z.string() })

export const bothFactors = proof.extend({ code })

export const twoFactorSecret = z.object({
  object: z.literal('two_factor_secret'),
  secret: z.string().describe('in base 32; shown this once'),
  otpauth_url: z.string().describe('for a picture that apps read'),
})

export const confirmTwoFactor = z.object({ code: z.string().min(6).max(12) })

export const recoveryCodes = z.object({
  object: z.literal('recovery_codes'),
  recovery_codes: z.array(z.string()).describe('each works once; shown this once'),
})

/** An identity at another service by which somebody signs in. */
export const externalIdentity = z.object({
  id: z.string(),
  object: z.literal('external_identity'),
  issuer: z.string(),
  email: z.string().nullable().describe('as the other service told it'),
  created_at: timestamp,
})

export const externalIdentityPage = page(externalIdentity)

/** Where in the realm's pages to go after a sign-in that leads through another service. */
const from = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])/)

export const oidcStart = z.object({ from: from.optional().catch(undefined) })

export const linkIdentity = proof.extend({ from: from.optional() })

export const oidcLocation = z.object({
  object: z.literal('oidc_location'),
  url: z.string().describe('where to send the browser'),
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

/** What narrows the audit log down; all of it must fit. */
export const auditQuery = pageQuery.extend({
  actor_id: z.string().max(200).optional().describe('an administrator'),
  action: z.string().max(100).optional(),
  target_type: z.string().max(100).optional(),
  target_id: z.string().max(300).optional(),
  from: moment.optional(),
  to: moment.optional().describe('itself not part of the span'),
})
