import type { Audit } from '#domains/audit/audit.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Background } from '#lib/background.ts'
import type { Changes } from '#lib/changes.ts'
import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import { createAdministratorRegister } from './administrator-register.ts'
import { createAdministrators } from './administrators.ts'
import { createAttemptCounter } from './attempt-counter.ts'
import { createChangeEmail } from './email-change.ts'
import { createEmailVerification } from './email-verification.ts'
import { createEntry } from './entry.ts'
import { createExternalIdentities } from './external-identities.ts'
import type { Mailer } from './mailer.ts'
import { createOneTimeTokens } from './one-time-tokens.ts'
import { createOwnSessions } from './own-sessions.ts'
import { createOwnerProof } from './owner-proof.ts'
import { createChangePassword } from './password-change.ts'
import { createPasswordReset } from './password-reset.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createPeople } from './people.ts'
import { createProfiles } from './profiles.ts'
import { createSecondFactors } from './second-factors.ts'
import { createSecondStep } from './second-step.ts'
import { createSecurityRecord } from './security-record.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { createTwoFactor } from './two-factor.ts'
import { createResetTwoFactor } from './two-factor-reset.ts'

export type IdentityOptions = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly audit: Audit
  readonly cipher: Cipher
  readonly settings: SettingsRegister
  readonly background: Background
  /** null where the service sends no mail. */
  readonly mailer: Mailer | null
  /** Waits, to slow down guessing; tests hand in their own. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>
  /** Tests that are not about it take hashes that cost less. */
  readonly passwords?: Passwords
}

/** Everything by which people sign in, of both realms. */
export function createIdentity(options: IdentityOptions) {
  const { storage, clock, audit, cipher, mailer, sleep, passwords = createPasswords() } = options
  const people = createPeople(storage)
  const tokens = createOneTimeTokens({ storage, clock })
  const sessions = createSessions({ storage, clock, tokens })
  const attempts = createAttemptCounter({ storage, clock })
  const throttle = createSignInThrottle({ attempts, sleep })
  const record = createSecurityRecord({ audit, mailer })
  const ownSessions = createOwnSessions({ storage, clock, tokens, record })
  const prove = createOwnerProof({ people, passwords, throttle, clock })
  const factors = createSecondFactors({ storage, clock, cipher })
  const enter = createEntry({ storage, people, sessions, tokens, factors })
  const twoFactor = createTwoFactor({ ...options, factors, throttle, prove, ownSessions, record })
  const externalIdentities = createExternalIdentities({ storage, clock, prove, record })
  const known = { people, passwords, tokens, sessions, throttle, record, prove, ownSessions }
  const parts = { ...options, ...known, externalIdentities }
  return {
    ...known,
    attempts,
    enter,
    externalIdentities,
    signIn: createSignIn({ people, passwords, throttle, enter }),
    secondStep: createSecondStep({ ...parts, factors }),
    twoFactor,
    resetTwoFactor: createResetTwoFactor({ ...parts, twoFactor }),
    changePassword: createChangePassword(parts),
    passwordReset: createPasswordReset(parts),
    emailVerification: createEmailVerification(parts),
    changeEmail: createChangeEmail(parts),
    profiles: createProfiles({ ...parts, twoFactor }),
    administrators: createAdministrators({ storage, clock, passwords, audit }),
    administratorRegister: createAdministratorRegister({ storage, clock, passwords, sessions, audit }),
  }
}
