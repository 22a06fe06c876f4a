import type { Audit } from '#domains/audit/audit.ts'
import type { Changes } from '#lib/changes.ts'
import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import { createAdministratorRegister } from './administrator-register.ts'
import { createAdministrators } from './administrators.ts'
import { createAttemptCounter } from './attempt-counter.ts'
import { createEntry } from './entry.ts'
import { createOneTimeTokens } from './one-time-tokens.ts'
import { createOwnSessions } from './own-sessions.ts'
import { createOwnerProof } from './owner-proof.ts'
import { createChangePassword } from './password-change.ts'
import { createPasswords } from './passwords.ts'
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
  /** Waits, to slow down guessing; tests hand in their own. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>
}

export type Identity = ReturnType<typeof createIdentity>

/** Everything by which people sign in, of both realms. */
export function createIdentity({ storage, clock, changes, audit, cipher, sleep }: IdentityOptions) {
  const passwords = createPasswords()
  const people = createPeople(storage)
  const tokens = createOneTimeTokens({ storage, clock })
  const sessions = createSessions({ storage, clock, tokens })
  const attempts = createAttemptCounter({ storage, clock })
  const throttle = createSignInThrottle({ attempts, sleep })
  const record = createSecurityRecord({ audit })
  const ownSessions = createOwnSessions({ storage, clock, tokens, record })
  const prove = createOwnerProof({ people, passwords, throttle, clock })
  const factors = createSecondFactors({ storage, clock, cipher })
  const enter = createEntry({ storage, people, sessions, tokens, factors })
  const twoFactor = createTwoFactor({ storage, clock, factors, throttle, prove, ownSessions, record })
  return {
    passwords,
    tokens,
    sessions,
    attempts,
    throttle,
    ownSessions,
    signIn: createSignIn({ people, passwords, throttle, enter }),
    secondStep: createSecondStep({ storage, people, sessions, tokens, factors, throttle }),
    twoFactor,
    resetTwoFactor: createResetTwoFactor({ storage, people, sessions, twoFactor, audit }),
    changePassword: createChangePassword({ storage, people, passwords, prove, ownSessions, record }),
    profiles: createProfiles({ storage, changes, people, record, twoFactor }),
    administrators: createAdministrators({ storage, clock, passwords, audit }),
    administratorRegister: createAdministratorRegister({ storage, clock, passwords, sessions, audit }),
  }
}
