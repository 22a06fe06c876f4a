import { refusals, type ServiceError } from '#contract/errors.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { OpenToken, OwnSessions } from './own-sessions.ts'
import type { OwnerProof, Proven } from './owner-proof.ts'
import type { SignedIn, Subject } from './people.ts'
import { newRecoveryCodes, replaceRecoveryCodes, voidRecoveryCodes } from './recovery-codes.ts'
import type { SecondFactors } from './second-factors.ts'
import type { SecurityRecord } from './security-record.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { findTotpStep, newTotpSecret, otpauthUrl } from './totp.ts'

/** How long a secret that was shown may wait for its first code. */
const ENROLMENT_MS = 3_600_000

/** An administrator's entry in an authenticator is told from a user's of the same service. */
const ISSUER_ENDINGS = { client: '', admin: ' admin' } as const

export type Enrolment = { readonly secret: string; readonly otpauthUrl: string }

/** What is needed to change a second factor that is on. */
export type BothFactors = { readonly password: string | undefined; readonly code: string }

/** Switching a person's second factor on and off. */
export type TwoFactor = {
  /** Whether it is on, and how many recovery codes are left. */
  status(subject: Subject): Promise<{ enabled: boolean; recoveryCodesLeft: number }>
  /** A new secret, shown once; nothing is asked of the person yet. 409 when it is on already. */
  begin(signedIn: SignedIn, password: string | undefined): Promise<Outcome<Enrolment, ServiceError>>
  /** Switches it on with a first code; all other sessions end. Gives the recovery codes, shown once. */
  confirm(signedIn: SignedIn, code: string): Promise<Outcome<Confirmed, ServiceError>>
  /** Switches it off; all other sessions end. */
  disable(signedIn: SignedIn, factors: BothFactors): Promise<Outcome<OpenToken, ServiceError>>
  /** New recovery codes, shown once; the old ones are void. */
  renewCodes(signedIn: SignedIn, factors: BothFactors): Promise<Outcome<readonly string[], ServiceError>>
  /** The writes that take a person's second factor away. */
  remove(subject: Subject): readonly Statement[]
}

export type Confirmed = { readonly recoveryCodes: readonly string[]; readonly session: OpenToken }

export type TwoFactorParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly factors: SecondFactors
  readonly throttle: SignInThrottle
  readonly prove: OwnerProof
  readonly ownSessions: OwnSessions
  readonly record: SecurityRecord
  readonly settings: Pick<SettingsRegister, 'get'>
}

export function createTwoFactor(parts: TwoFactorParts): TwoFactor {
  const { storage, clock, factors, throttle, prove, ownSessions, record, settings } = parts
  const { db } = storage

  const begin: TwoFactor['begin'] = async (signedIn, password) => {
    const proven = await prove(signedIn, password)
    if (!proven.ok) return proven
    const { person, statements } = proven.value
    const secret = newTotpSecret()
    const row = {
      secret_ciphertext: factors.seal(person, secret),
      last_step: 0,
      created_at: clock.now(),
      confirmed_at: null,
    }
    const query = db
      .insertInto('two_factors')
      .values({ realm: person.realm, subject_id: person.id, ...row })
      .onConflict(conflict =>
        conflict
          .columns(['realm', 'subject_id'])
          .doUpdateSet(row)
          .where('two_factors.confirmed_at', 'is', null),
      )
    const outcome = await storage.commit([{ query, expectRows: 1 }, ...statements])
    if (outcome.kind !== 'committed') return refused(refusals.conflict('The second factor is on already'))
    const { realm, email } = person
    const { branding } = await settings.get()
    const issuer = `${branding.name}${ISSUER_ENDINGS[realm]}`
    return accepted({ secret, otpauthUrl: otpauthUrl(secret, { issuer, email }) })
  }

  const confirm: TwoFactor['confirm'] = async (signedIn, typed) => {
    const now = clock.now()
    const begun = await db
      .selectFrom('two_factors')
      .select('secret_ciphertext')
      .where('realm', '=', signedIn.realm)
      .where('subject_id', '=', signedIn.id)
      .where('confirmed_at', 'is', null)
      .where('created_at', '>', now - ENROLMENT_MS)
      .executeTakeFirst()
    if (!begun) return refused(refusals.conflict('Begin with a new secret'))
    const code = typed.replace(/\s/g, '')
    const step = findTotpStep(factors.open(signedIn, begun.secret_ciphertext), code, now)
    if (step === null) return refused(wrongCode())
    const query = db
      .updateTable('two_factors')
      .set({ confirmed_at: now, last_step: step })
      .where('realm', '=', signedIn.realm)
      .where('subject_id', '=', signedIn.id)
      .where('secret_ciphertext', '=', begun.secret_ciphertext)
      .where('confirmed_at', 'is', null)
    const recoveryCodes = newRecoveryCodes()
    const session = ownSessions.renewAlone(signedIn)
    const outcome = await storage.commit([
      { query, expectRows: 1 },
      ...replaceRecoveryCodes(storage, signedIn, recoveryCodes),
      ...session.statements,
      ...record(signedIn, 'enable_two_factor'),
    ])
    if (outcome.kind !== 'committed') return refused(refusals.conflict('Begin with a new secret'))
    return accepted({ recoveryCodes, session })
  }

  /** The writes that go with both factors, once they are shown to be right. */
  async function proveBoth(
    signedIn: SignedIn,
    { password, code }: BothFactors,
  ): Promise<Outcome<Proven, ServiceError>> {
    const proven = await prove(signedIn, password)
    if (!proven.ok) return proven
    const admitted = await throttle.admitProof('second factor', signedIn)
    if (!admitted.ok) return admitted
    const used = await factors.use(signedIn, code)
    if (!used) return refused(wrongCode())
    const { person, statements } = proven.value
    return accepted({
      person,
      statements: [used.statement, ...statements, throttle.proved('second factor', signedIn)],
    })
  }

  function remove({ realm, id }: Subject): readonly Statement[] {
    const query = db.deleteFrom('two_factors').where('realm', '=', realm).where('subject_id', '=', id)
    return [{ query }, voidRecoveryCodes(storage, { realm, id })]
  }

  return {
    begin,
    confirm,
    remove,
    status: async subject => {
      const { count } = await db
        .selectFrom('recovery_codes')
        .select(eb => eb.fn.countAll<number | string | bigint>().as('count'))
        .where('realm', '=', subject.realm)
        .where('subject_id', '=', subject.id)
        .executeTakeFirstOrThrow()
      return { enabled: await factors.isEnrolled(subject), recoveryCodesLeft: Number(count) }
    },
    disable: async (signedIn, both) => {
      const proven = await proveBoth(signedIn, both)
      if (!proven.ok) return proven
      const session = ownSessions.renewAlone(signedIn)
      const outcome = await storage.commit([
        ...proven.value.statements,
        ...remove(signedIn),
        ...session.statements,
        ...record(signedIn, 'disable_two_factor'),
      ])
      return outcome.kind === 'committed' ? accepted(session) : refused(wrongCode())
    },
    renewCodes: async (signedIn, both) => {
      const proven = await proveBoth(signedIn, both)
      if (!proven.ok) return proven
      const codes = newRecoveryCodes()
      const outcome = await storage.commit([
        ...proven.value.statements,
        ...replaceRecoveryCodes(storage, signedIn, codes),
        ...record(signedIn, 'renew_recovery_codes'),
      ])
      return outcome.kind === 'committed' ? accepted(codes) : refused(wrongCode())
    },
  }
}

function wrongCode(): ServiceError {
  return refusals.forbidden('The code is wrong, or was used before')
}
