import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { Realm } from '#storage/tables.ts'
import { normalizeEmail } from './email.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export type SignInOptions = {
  readonly email: string
  readonly password: string
  /** Where the attempt comes from, as the throttle tells places apart. */
  readonly network: string
}

export type OpenedSession = {
  readonly subjectId: string
  readonly token: string
  readonly maxAgeSeconds: number
}

export type SignInParts = {
  readonly storage: Storage
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly throttle: SignInThrottle
}

/** Opens a session in one realm, or refuses: 401 without saying which half was wrong, 429 after too many failures. */
export type SignIn = (realm: Realm, options: SignInOptions) => Promise<Outcome<OpenedSession, ServiceError>>

type Credentials = { readonly id: string; readonly passwordHash: string; readonly mayEnter: boolean }

export function createSignIn({ storage, passwords, sessions, throttle }: SignInParts): SignIn {
  return async (realm, { email: typedEmail, password, network }) => {
    const email = normalizeEmail(typedEmail)
    const attempt = { realm, email, network }
    const admitted = await throttle.admit(attempt)
    if (!admitted.ok) return admitted

    const credentials = await findCredentials(storage, realm, email)
    const fits = await passwords.verify(credentials?.passwordHash ?? null, password)
    if (!credentials || !fits || !credentials.mayEnter) return refused(wrongPair())

    const { token, maxAgeSeconds, statement } = sessions.prepare(realm, credentials.id)
    const outcome = await storage.commit([
      stillValid(storage, realm, credentials),
      statement,
      ...throttle.succeeded(attempt),
    ])
    if (outcome.kind !== 'committed') return refused(wrongPair())
    return accepted({ subjectId: credentials.id, token, maxAgeSeconds })
  }
}

function wrongPair(): ServiceError {
  return refusals.unauthenticated('The e-mail or the password is wrong')
}

async function findCredentials(storage: Storage, realm: Realm, email: string): Promise<Credentials | null> {
  if (realm === 'admin') {
    const row = await storage.db
      .selectFrom('administrators')
      .select(['id', 'password_hash'])
      .where('email', '=', email)
      .executeTakeFirst()
    return row ? { id: row.id, passwordHash: row.password_hash, mayEnter: true } : null
  }
  const row = await storage.db
    .selectFrom('users')
    .select(['id', 'password_hash', 'status'])
    .where('email', '=', email)
    .executeTakeFirst()
  return row ? { id: row.id, passwordHash: row.password_hash, mayEnter: row.status === 'active' } : null
}

/**
 * Changes nothing, and one row: the unit fails if the password was changed or the person disabled since it was checked.
 * Whoever does that ends all sessions in the same unit, so no session can slip in behind it.
 */
function stillValid(storage: Storage, realm: Realm, { id, passwordHash }: Credentials): Statement {
  if (realm === 'admin') {
    const query = storage.db
      .updateTable('administrators')
      .set({ password_hash: passwordHash })
      .where('id', '=', id)
      .where('password_hash', '=', passwordHash)
    return { query, expectRows: 1 }
  }
  const query = storage.db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('status', '=', 'active')
  return { query, expectRows: 1 }
}
