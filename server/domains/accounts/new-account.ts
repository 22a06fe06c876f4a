import { normalizeEmail } from '#domains/identity/email.ts'
import type { Passwords } from '#domains/identity/passwords.ts'
import { newId } from '#lib/id.ts'
import { ZERO_MICROS } from '#lib/money.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { AccountRow, UserRow } from '#storage/tables.ts'

export type NewPerson = { readonly email: string; readonly name: string; readonly password: string }

type NewUserPlace = { readonly accountId: string; readonly nowMs: number }

/** A user about to be made; joins the account named, which need not exist yet. */
export async function newUser(
  passwords: Passwords,
  { email, name, password }: NewPerson,
  place: NewUserPlace,
): Promise<UserRow> {
  const password_hash = await passwords.hash(password)
  return newRow({ email, name, password_hash, email_verified_at: null }, place)
}

/** A user about to be made who signs in elsewhere, where the e-mail was verified. */
export function newUserWithoutPassword(
  { email, name }: Omit<NewPerson, 'password'>,
  place: NewUserPlace,
): UserRow {
  return newRow({ email, name, password_hash: '', email_verified_at: place.nowMs }, place)
}

function newRow(
  person: Pick<UserRow, 'email' | 'name' | 'password_hash' | 'email_verified_at'>,
  { accountId, nowMs }: NewUserPlace,
): UserRow {
  return {
    ...person,
    id: newId('usr', nowMs),
    account_id: accountId,
    email: normalizeEmail(person.email),
    status: 'active',
    created_at: nowMs,
  }
}

/** An account about to be made, with nothing on its ledger. */
export function newAccount({ id, name, ownerId, nowMs }: NewAccount): AccountRow {
  return {
    id,
    name,
    owner_id: ownerId,
    status: 'active',
    allocated_micros: ZERO_MICROS,
    used_micros: ZERO_MICROS,
    last_allocation_micros: ZERO_MICROS,
    ledger_sequence: 0,
    created_at: nowMs,
    closed_at: null,
    closed_by: null,
  }
}

type NewAccount = {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly nowMs: number
}

export function insertAccount({ db }: Storage, account: AccountRow): Statement {
  return { query: db.insertInto('accounts').values(account), expectRows: 1 }
}

export function insertUser({ db }: Storage, user: UserRow): Statement {
  return { query: db.insertInto('users').values(user), expectRows: 1 }
}
