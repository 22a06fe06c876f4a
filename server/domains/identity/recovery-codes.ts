import { hash, randomBytes } from 'node:crypto'
import type { Statement, Storage } from '#storage/storage.ts'
import type { Subject } from './people.ts'

const COUNT = 10
/** Crockford's base 32: nothing in it is easily misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 random bits, so that a plain hash of them can't be turned back. */
const LETTERS = 16

/** Codes that each replace a second factor once, such as `4t8x-02mz-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const letters = Array.from(randomBytes(LETTERS), byte => ALPHABET.charAt(byte & 31)).join('')
    return letters.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** The writes that replace all recovery codes of a person. */
export function replaceRecoveryCodes(
  storage: Pick<Storage, 'db'>,
  subject: Subject,
  codes: readonly string[],
): Statement[] {
  const { realm, id: subject_id } = subject
  const rows = codes.map(code => ({ realm, subject_id, code_hash: hashRecoveryCode(code) }))
  const query = storage.db.insertInto('recovery_codes').values(rows)
  return [voidRecoveryCodes(storage, subject), { query, expectRows: rows.length }]
}

export function voidRecoveryCodes({ db }: Pick<Storage, 'db'>, { realm, id }: Subject): Statement {
  return { query: db.deleteFrom('recovery_codes').where('realm', '=', realm).where('subject_id', '=', id) }
}

/** The write that uses a code up: its unit fails when it is none, or was used before. */
export function spendRecoveryCode(
  { db }: Pick<Storage, 'db'>,
  { realm, id }: Subject,
  code: string,
): Statement {
  const query = db
    .deleteFrom('recovery_codes')
    .where('realm', '=', realm)
    .where('subject_id', '=', id)
    .where('code_hash', '=', hashRecoveryCode(code))
  return { query, expectRows: 1 }
}

/** Codes are typed from paper: case, spaces and hyphens do not matter, nor does taking a digit for a letter. */
function hashRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return hash('sha256', code, 'hex')
}
