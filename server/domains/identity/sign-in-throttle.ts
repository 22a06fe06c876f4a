import { setTimeout as delay } from 'node:timers/promises'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Statement } from '#storage/storage.ts'
import type { AttemptCounter, CountedAttempt } from './attempt-counter.ts'
import type { Subject } from './people.ts'

/** Attempts of one window that are answered at once, and those that are answered at all. */
type Allowance = { readonly prompt: number; readonly total: number }

const PER_EMAIL: Allowance = { prompt: 3, total: 10 }
/** Many people may share one address. */
const PER_NETWORK: Allowance = { prompt: 30, total: 100 }
/** Mails that anybody can have sent to an address. */
const MAILS_PER_EMAIL: Allowance = { prompt: 3, total: 3 }
const MAILS_PER_NETWORK: Allowance = { prompt: 30, total: 30 }
const SIGN_UPS_PER_NETWORK: Allowance = { prompt: 500, total: 500 }

const DELAY_STEP_MS = 250
const LONGEST_DELAY_MS = 2000

export type SignInAttempt = {
  readonly realm: Realm
  readonly email: string
  readonly network: string
  /**
   * Which of the browsers that signed in with this e-mail before it is; null for any other. Such a browser is counted
   * alone, so that nobody can lock people out for good by failing in their name from elsewhere (OWASP, "Slow Down
   * Online Guessing Attacks with Device Cookies").
   */
  readonly device: string | null
}

/** What somebody may be asked to show once more. */
export type ProofKind = 'password' | 'second factor'

/** What stands between a guesser and the passwords. */
export type SignInThrottle = {
  /** Counts the attempt, holds it up if it follows too many, and refuses it if it follows far too many. */
  admit(attempt: SignInAttempt): Promise<Outcome<null, ServiceError>>
  /** The writes that go with a success: the e-mail's failures are forgotten, and the network gets its place back. */
  succeeded(attempt: SignInAttempt): readonly Statement[]
  admitSignUp(network: string): Promise<Outcome<null, ServiceError>>
  /** The same for somebody who is known, or nearly, and shows one thing more. */
  admitProof(kind: ProofKind, subject: Subject): Promise<Outcome<null, ServiceError>>
  /** The write that goes with the right proof: the failures before it are forgotten. */
  proved(kind: ProofKind, subject: Subject): Statement
  /** Whether somebody should be told that proofs are refused now: once in a while. */
  isFirstRefusal(kind: ProofKind, subject: Subject): Promise<boolean>
  /** The write that forgets the failures in the name of a person who has shown to read their mail. */
  forgive(person: Pick<SignInAttempt, 'realm' | 'email'>): Statement
  /** Counts a mail that is to be sent to an address, whoever has it. */
  admitMail(mail: Omit<SignInAttempt, 'device'>): Promise<Outcome<null, ServiceError>>
}

export type SignInThrottleOptions = {
  readonly attempts: AttemptCounter
  /** Waits; tests hand in their own. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>
}

export function createSignInThrottle({ attempts, sleep = delay }: SignInThrottleOptions): SignInThrottle {
  async function pass(counted: CountedAttempt, allowance: Allowance): Promise<Outcome<null, ServiceError>> {
    if (counted.number > allowance.total) return refused(refusals.rateLimited(counted.windowEndsInSeconds))
    const delayMs = delayAfter(counted.number, allowance)
    if (delayMs > 0) await sleep(delayMs)
    return accepted(null)
  }

  return {
    admit: async attempt => {
      if (attempt.device !== null) return pass(await attempts.count(deviceSubject(attempt)), PER_EMAIL)
      // The network first: once that is refused, a flood from it can no longer lock other people's e-mails.
      const byNetwork = await pass(await attempts.count(networkSubject(attempt)), PER_NETWORK)
      if (!byNetwork.ok) return byNetwork
      return pass(await attempts.count(emailSubject(attempt)), PER_EMAIL)
    },
    succeeded: attempt =>
      attempt.device === null
        ? [attempts.forget(emailSubject(attempt)), attempts.takeBack(networkSubject(attempt))]
        : [attempts.forget(deviceSubject(attempt))],
    admitSignUp: async network =>
      pass(await attempts.count(`client sign-up ip ${network}`), SIGN_UPS_PER_NETWORK),
    admitProof: async (kind, subject) => pass(await attempts.count(proofSubject(kind, subject)), PER_EMAIL),
    proved: (kind, subject) => attempts.forget(proofSubject(kind, subject)),
    isFirstRefusal: async (kind, subject) =>
      (await attempts.count(`${proofSubject(kind, subject)} refused`)).number === 1,
    forgive: person => attempts.forget(emailSubject(person)),
    admitMail: async ({ realm, email, network }) => {
      const byNetwork = await pass(await attempts.count(`${realm} mail ip ${network}`), MAILS_PER_NETWORK)
      if (!byNetwork.ok) return byNetwork
      return pass(await attempts.count(`${realm} mail ${email}`), MAILS_PER_EMAIL)
    },
  }
}

function proofSubject(kind: ProofKind, { realm, id }: Subject): string {
  return `${realm} ${kind} ${id}`
}

function deviceSubject({ realm, device }: SignInAttempt): string {
  return `${realm} device ${device}`
}

function emailSubject({ realm, email }: Pick<SignInAttempt, 'realm' | 'email'>): string {
  return `${realm} email ${email}`
}

function networkSubject({ realm, network }: SignInAttempt): string {
  return `${realm} ip ${network}`
}

/** 0 at first, then growing evenly to two seconds at the last attempt that is answered. */
function delayAfter(number: number, { prompt, total }: Allowance): number {
  if (number <= prompt) return 0
  const step = (DELAY_STEP_MS * PER_EMAIL.total) / total
  return Math.min(LONGEST_DELAY_MS, (number - prompt) * step)
}
