import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { Subject } from './people.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { findTotpStep } from './totp.ts'

/** A code that looks right; it is used up when `statement` is committed. */
export type UsedCode = { readonly statement: Statement; readonly isRecoveryCode: boolean }

/** The second factors of people: who has one, and whether a code is right. */
export type SecondFactors = {
  /** Whether somebody is asked for a code when they sign in. */
  isEnrolled(subject: Subject): Promise<boolean>
  /**
   * What uses a code up, six digits of the app or a recovery code; null when it is plainly wrong. Its unit fails when the code was used before, or was no recovery code after all.
   */
  use(subject: Subject, code: string): Promise<UsedCode | null>
  seal(subject: Subject, secret: string): string
  /** The secret of an enrolment again. Throws when it was sealed with another secret of the service. */
  open(subject: Subject, ciphertext: string): string
}

export type SecondFactorsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly cipher: Cipher
}

export function createSecondFactors({ storage, clock, cipher }: SecondFactorsParts): SecondFactors {
  const { db } = storage

  const findConfirmed = ({ realm, id }: Subject) =>
    db
      .selectFrom('two_factors')
      .select(['secret_ciphertext', 'last_step'])
      .where('realm', '=', realm)
      .where('subject_id', '=', id)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()

  function open(subject: Subject, ciphertext: string): string {
    const secret = cipher.open(ciphertext, bindingOf(subject))
    if (secret === null) throw new Error('A second factor was sealed with another secret of the service')
    return secret
  }

  return {
    isEnrolled: async subject => (await findConfirmed(subject)) !== undefined,
    use: async (subject, typed) => {
      const row = await findConfirmed(subject)
      if (!row) return null
      const code = typed.replace(/\s/g, '')
      if (!/^\d{6}$/.test(code)) {
        return { statement: spendRecoveryCode(storage, subject, code), isRecoveryCode: true }
      }
      const step = findTotpStep(open(subject, row.secret_ciphertext), code, clock.now())
      if (step === null || step <= row.last_step) return null
      const query = db
        .updateTable('two_factors')
        .set({ last_step: step })
        .where('realm', '=', subject.realm)
        .where('subject_id', '=', subject.id)
        .where('secret_ciphertext', '=', row.secret_ciphertext)
        .where('confirmed_at', 'is not', null)
        .where('last_step', '<', step)
      return { statement: { query, expectRows: 1 }, isRecoveryCode: false }
    },
    seal: (subject, secret) => cipher.seal(secret, bindingOf(subject)),
    open,
  }
}

function bindingOf({ realm, id }: Subject) {
  return { purpose: 'two-factor', id: `${realm} ${id}` }
}
