import type { AccountCredits } from '#domains/accounts/account-credits.ts'
import type { Accounts } from '#domains/accounts/accounts.ts'
import type { Users } from '#domains/accounts/users.ts'
import type { Audit } from '#domains/audit/audit.ts'
import type { ManagedItems } from '#domains/configuration/managed-items.ts'
import type { AdministratorRegister } from '#domains/identity/administrator-register.ts'
import type { Administrators } from '#domains/identity/administrators.ts'
import type { SecondStep } from '#domains/identity/second-step.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { SignIn } from '#domains/identity/sign-in.ts'
import type { ResetTwoFactor } from '#domains/identity/two-factor-reset.ts'
import type { Keys } from '#domains/keys/keys.ts'
import type { RequestRecords } from '#domains/usage/request-records.ts'
import type { Usage } from '#domains/usage/usage.ts'
import type { ConfigParts } from '#server/http/identity/config-route.ts'
import type { MailedParts } from '#server/http/identity/mailed-routes.ts'
import type { OwnParts } from '#server/http/identity/own-routes.ts'

/** What the administrators' routes are made of. */
export type AdminParts = OwnParts &
  MailedParts &
  ConfigParts & {
    /** Where browsers find the service; null when that is not configured. */
    readonly publicUrl: string | null
    /** The service's secret, which signs cookies. */
    readonly secret: string | Uint8Array
    readonly sessions: Sessions
    readonly signIn: SignIn
    readonly secondStep: SecondStep
    readonly administrators: Administrators
    readonly administratorRegister: AdministratorRegister
    readonly accounts: Accounts
    readonly credits: AccountCredits
    readonly users: Users
    readonly resetTwoFactor: ResetTwoFactor
    readonly keys: Keys
    readonly audit: Audit
    readonly managedItems: Pick<ManagedItems, 'isManaged'>
    readonly requests: RequestRecords
    readonly usage: Usage
  }
