import { randomBytes } from 'node:crypto'
import type { AdministratorRole } from '#contract/administrators.ts'
import type { Audit } from '#domains/audit/audit.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { normalizeEmail } from './email.ts'
import type { Passwords } from './passwords.ts'

const DEFAULT_EMAIL = 'admin@goldweight.local'

export type FirstAdministrator = {
  readonly email: string
  /** To be shown once; null when the password was given. */
  readonly generatedPassword: string | null
}

export type AdministratorRecord = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: AdministratorRole
}

export type Administrators = {
  get(id: string): Promise<AdministratorRecord>
  /**
   * Makes the first administrator, with a password of its own making where none is given. Does nothing and gives null
   * when there is an administrator already, whatever was given.
   */
  createFirst(given: { email?: string; password?: string }): Promise<FirstAdministrator | null>
}

export type AdministratorsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly passwords: Passwords
  readonly audit: Audit
}

export function createAdministrators({
  storage,
  clock,
  passwords,
  audit,
}: AdministratorsParts): Administrators {
  const { db } = storage
  return {
    get: id =>
      db
        .selectFrom('administrators')
        .select(['id', 'email', 'name', 'role'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    createFirst: async given => {
      if (await db.selectFrom('administrators').select('id').executeTakeFirst()) return null
      const email = normalizeEmail(given.email ?? DEFAULT_EMAIL)
      const generatedPassword = given.password === undefined ? randomBytes(15).toString('base64url') : null
      const passwordHash = await passwords.hash(given.password ?? generatedPassword ?? '')
      const now = clock.now()
      const id = newId('adm', now)
      const outcome = await storage.commit([
        insertIfFirst(storage, { id, email, name: 'Administrator', passwordHash, now }),
        audit.entry({
          actor: { type: 'system', id: null },
          action: 'administrator.create',
          target: { type: 'administrator', id },
          after: { id, email, name: 'Administrator' },
        }),
      ])
      return outcome.kind === 'committed' ? { email, generatedPassword } : null
    },
  }
}

type NewAdministrator = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  readonly now: number
}

/** Of two nodes that start at once on an empty store only one makes an administrator. */
function insertIfFirst({ db }: Storage, { id, email, name, passwordHash, now }: NewAdministrator): Statement {
  const query = db
    .insertInto('administrators')
    .columns(['id', 'email', 'name', 'password_hash', 'created_at'])
    .expression(
      db
        .selectNoFrom(eb => [
          eb.cast<string>(eb.val(id), 'text').as('id'),
          eb.cast<string>(eb.val(email), 'text').as('email'),
          eb.cast<string>(eb.val(name), 'text').as('name'),
          eb.cast<string>(eb.val(passwordHash), 'text').as('password_hash'),
          eb.cast<number>(eb.val(now), 'bigint').as('created_at'),
        ])
        .where(eb => eb.not(eb.exists(db.selectFrom('administrators').select('id')))),
    )
  return { query, expectRows: 1 }
}
