import type { AccountCredits } from '#domains/accounts/account-credits.ts'
import type { Accounts } from '#domains/accounts/accounts.ts'
import type { SignUp } from '#domains/accounts/sign-up.ts'
import type { SecondStep } from '#domains/identity/second-step.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { SignIn } from '#domains/identity/sign-in.ts'
import type { Keys } from '#domains/keys/keys.ts'
import type { RequestRecords } from '#domains/usage/request-records.ts'
import type { Usage } from '#domains/usage/usage.ts'
import type { ConfigParts } from '#server/http/identity/config-route.ts'
import type { MailedParts } from '#server/http/identity/mailed-routes.ts'
import type { OwnParts } from '#server/http/identity/own-routes.ts'

/** What the portal's routes are made of. */
export type PortalParts = OwnParts &
  MailedParts &
  ConfigParts & {
    /** Where browsers find the service; null when that is not configured. */
    readonly publicUrl: string | null
    /** The service's secret, which signs cookies. */
    readonly secret: string | Uint8Array
    readonly sessions: Sessions
    readonly signIn: SignIn
    readonly secondStep: SecondStep
    readonly signUp: SignUp
    readonly accounts: Accounts
    readonly credits: AccountCredits
    readonly keys: Keys
    readonly requests: RequestRecords
    readonly usage: Usage
  }
