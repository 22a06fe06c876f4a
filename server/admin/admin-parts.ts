import type { AccountCredits } from '#domains/accounts/account-credits.ts'
import type { Accounts } from '#domains/accounts/accounts.ts'
import type { Users } from '#domains/accounts/users.ts'
import type { Audit } from '#domains/audit/audit.ts'
import type { Administrators } from '#domains/identity/administrators.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { SignIn } from '#domains/identity/sign-in.ts'
import type { Keys } from '#domains/keys/keys.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { RequestRecords } from '#domains/usage/request-records.ts'
import type { PersonParts } from '#server/http/identity/person-routes.ts'

/** What the administrators' routes are made of. */
export type AdminParts = PersonParts & {
  /** Where browsers find the service; null when that is not configured. */
  readonly publicUrl: string | null
  /** The service's secret, which signs cookies. */
  readonly secret: string | Uint8Array
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly administrators: Administrators
  readonly accounts: Accounts
  readonly credits: AccountCredits
  readonly users: Users
  readonly keys: Keys
  readonly settings: SettingsRegister
  readonly audit: Audit
  readonly requests: RequestRecords
}
