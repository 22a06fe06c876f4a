import type { AdministratorRole } from '#contract/administrators.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { normalizeEmail } from './email.ts'
import { OF_AN_OPEN_ACCOUNT } from './open-account.ts'

/** Somebody who is signed in, in either realm. */
export type SignedIn = {
  readonly realm: Realm
  readonly id: string
  readonly email: string
  readonly name: string
  readonly session: { readonly id: string; readonly createdAt: number }
}

/** A user of the portal who is signed in. */
export type SignedInUser = SignedIn & { readonly accountId: string }

/** An administrator who is signed in. */
export type SignedInAdministrator = SignedIn & {
  readonly role: AdministratorRole
  readonly hasSecondFactor: boolean
}

/** Who a session or a token belongs to. */
export type Subject = { readonly realm: Realm; readonly id: string }

/** A user or an administrator with what they sign in by. */
export type Person = Subject & {
  readonly email: string
  readonly name: string
  /** null for one who has no password and signs in elsewhere. */
  readonly passwordHash: string | null
  readonly emailVerifiedAt: number | null
  readonly mayEnter: boolean
}

/** The columns of a person that identity changes. */
export type PersonChange = {
  readonly name?: string
  readonly email?: string
  readonly password_hash?: string
  readonly email_verified_at?: number | null
}

export type People = {
  find(subject: Subject): Promise<Person | null>
  findByEmail(realm: Realm, email: string): Promise<Person | null>
  /**
   * The write that changes a person. Its unit fails if their password or e-mail was changed, or they were disabled
   * or their account closed, since they were read: so nothing that was allowed by an old password is done after it is gone. An empty change
   * changes nothing and checks the same.
   */
  change(person: Person, change: PersonChange): Statement
  /** Changes nothing, and fails as `change` does, or when the person has a second factor. */
  entersByOneFactor(person: Person): Statement
}

/** What the column holds for a person without a password: no hash is empty. */
const NO_PASSWORD = ''

export function createPeople({ db }: Pick<Storage, 'db'>): People {
  const select = {
    client: () =>
      db
        .selectFrom('users')
        .select([
          ...PERSON_COLUMNS,
          eb => eb.and([eb('status', '=', 'active'), OF_AN_OPEN_ACCOUNT]).as('may_enter'),
        ]),
    admin: () =>
      db
        .selectFrom('administrators')
        .select([...PERSON_COLUMNS, eb => eb('status', '=', 'active').as('may_enter')]),
  }
  return {
    find: async ({ realm, id }) => {
      const row =
        realm === 'client'
          ? await select.client().where('id', '=', id).executeTakeFirst()
          : await select.admin().where('id', '=', id).executeTakeFirst()
      return row ? toPerson(realm, row) : null
    },
    findByEmail: async (realm, typed) => {
      const email = normalizeEmail(typed)
      const row =
        realm === 'client'
          ? await select.client().where('email', '=', email).executeTakeFirst()
          : await select.admin().where('email', '=', email).executeTakeFirst()
      return row ? toPerson(realm, row) : null
    },
    change: (person, change) => ({
      query:
        person.realm === 'client' ? changeUser(db, person, change) : changeAdministrator(db, person, change),
      expectRows: 1,
    }),
    entersByOneFactor: person => {
      const { realm, id } = person
      const factor = db
        .selectFrom('two_factors')
        .select('subject_id')
        .where('realm', '=', realm)
        .where('subject_id', '=', id)
        .where('confirmed_at', 'is not', null)
      const query =
        realm === 'client'
          ? changeUser(db, person, {}).where(eb => eb.not(eb.exists(factor)))
          : changeAdministrator(db, person, {}).where(eb => eb.not(eb.exists(factor)))
      return { query, expectRows: 1 }
    },
  }
}

type Db = Storage['db']

function changeUser(db: Db, { id, email, passwordHash }: Person, change: PersonChange) {
  return db
    .updateTable('users')
    .set({ id, ...change })
    .where(eb => eb.and({ id, email, password_hash: passwordHash ?? NO_PASSWORD, status: 'active' }))
    .where(OF_AN_OPEN_ACCOUNT)
}

function changeAdministrator(db: Db, { id, email, passwordHash }: Person, change: PersonChange) {
  return db
    .updateTable('administrators')
    .set({ id, ...change })
    .where(eb => eb.and({ id, email, password_hash: passwordHash ?? NO_PASSWORD, status: 'active' }))
}

const PERSON_COLUMNS = ['id', 'email', 'name', 'password_hash', 'email_verified_at'] as const

type PersonRow = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly email_verified_at: number | null
  readonly may_enter: unknown
}

function toPerson(realm: Realm, row: PersonRow): Person {
  return {
    realm,
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash === NO_PASSWORD ? null : row.password_hash,
    emailVerifiedAt: row.email_verified_at,
    // One engine has truth values, the other 0 and 1.
    mayEnter: Boolean(row.may_enter),
  }
}
