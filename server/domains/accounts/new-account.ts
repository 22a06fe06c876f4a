import { normalizeEmail } from '#domains/identity/email.ts'
import type { Passwords } from '#domains/identity/passwords.ts'
import { newId } from '#lib/id.ts'
import { ZERO_MICROS } from '#lib/money.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { AccountRow, UserRow } from '#storage/tables.ts'

export type NewPerson = { readonly email: string; readonly name: string; readonly password: string }

/** A user about to be made; joins the account named, which need not exist yet. */
export async function newUser(
  passwords: Passwords,
  { email, name, password }: NewPerson,
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
): Promise<UserRow> {
  return {
    id: newId('usr', nowMs),
    account_id: accountId,
    email: normalizeEmail(email),
    name,
    password_hash: await passwords.hash(password),
    status: 'active',
    created_at: nowMs,
    email_verified_at: null,
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
