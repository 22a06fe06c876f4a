import type { z } from 'zod'
import type {
  AdministratorRecord,
  createAdministrator,
  patchAdministrator,
} from '#contract/administrators.ts'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { AdministratorRow } from '#storage/tables.ts'
import { normalizeEmail } from './email.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'

export type NewAdministrator = z.infer<typeof createAdministrator>
export type AdministratorPatch = z.infer<typeof patchAdministrator>

/** Who operates the service. There is an active owner at all times: the store decides that, however many ask at once. */
export type AdministratorRegister = {
  /** Newest first. */
  list(page: PageRequest): Promise<Page<AdministratorRecord>>
  /** 409 the e-mail is taken. */
  create(given: NewAdministrator, actor: Actor): Promise<Outcome<AdministratorRecord, ServiceError>>
  /**
   * 404, 409 nobody would own the service any more. A new role, password or status ends all sessions of the
   * administrator: what an old session could do, it does no longer.
   */
  patch(
    id: string,
    patch: AdministratorPatch,
    actor: Actor,
  ): Promise<Outcome<AdministratorRecord, ServiceError>>
}

export type AdministratorRegisterParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly passwords: Passwords
  readonly sessions: Pick<Sessions, 'endAll'>
  readonly audit: Pick<Audit, 'entry'>
}

export function createAdministratorRegister(parts: AdministratorRegisterParts): AdministratorRegister {
  const { storage, clock, passwords, sessions, audit } = parts

  async function patchOnce(
    id: string,
    patch: AdministratorPatch,
    actor: Actor,
  ): Promise<Outcome<AdministratorRecord, ServiceError> | typeof RACED> {
    const before = await findRow(storage, id)
    if (!before) return refused(refusals.notFound('No such administrator'))
    const { password, ...plain } = patch
    const { two_factor, ...row } = before
    const passwordHash = password === undefined ? row.password_hash : await passwords.hash(password)
    const after = { ...row, ...plain, password_hash: passwordHash }
    const endsSessions =
      after.role !== row.role || after.status !== row.status || after.password_hash !== row.password_hash
    const outcome = await storage.commit([
      {
        query: storage.db.updateTable('administrators').set(after).where('id', '=', id).where(stillIs(row)),
        expectRows: 1,
      },
      stillOwned(storage),
      ...(endsSessions ? sessions.endAll({ realm: 'admin', id }) : []),
      audit.entry({
        actor,
        action: 'administrator.update',
        target: { type: 'administrator', id },
        before: toRecord(before),
        after: {
          ...toRecord({ ...after, two_factor }),
          ...(password === undefined ? {} : { password: 'changed' }),
        },
      }),
    ])
    if (outcome.kind === 'committed') return accepted(toRecord({ ...after, two_factor }))
    if (outcome.kind === 'unmet' && outcome.index === 1) {
      return refused(refusals.conflict('Somebody has to own the service: make another owner first'))
    }
    return RACED
  }

  return {
    list: async page => mapPage(await readNewest(selectRows(storage), page), toRecord),
    create: async ({ email, name, password, role }, actor) => {
      const now = clock.now()
      const row: AdministratorRow = {
        id: newId('adm', now),
        email: normalizeEmail(email),
        name,
        password_hash: await passwords.hash(password),
        email_verified_at: null,
        role,
        status: 'active',
        created_at: now,
      }
      const record = toRecord({ ...row, two_factor: 0 })
      const outcome = await storage.commit([
        { query: storage.db.insertInto('administrators').values(row), expectRows: 1 },
        audit.entry({
          actor,
          action: 'administrator.create',
          target: { type: 'administrator', id: row.id },
          after: record,
        }),
      ])
      if (outcome.kind === 'duplicate')
        return refused(refusals.conflict('There is an administrator with this e-mail'))
      if (outcome.kind !== 'committed')
        throw new Error(`An administrator could not be stored: ${outcome.kind}`)
      return accepted(record)
    },
    patch: (id, patch, actor) => untilUnraced(() => patchOnce(id, patch, actor)),
  }
}

type Row = AdministratorRow & { readonly two_factor: unknown }

function selectRows({ db }: Storage) {
  return db
    .selectFrom('administrators')
    .selectAll()
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('two_factors')
          .select('subject_id')
          .whereRef('subject_id', '=', 'administrators.id')
          .where('realm', '=', 'admin')
          .where('confirmed_at', 'is not', null),
      ).as('two_factor'),
    )
}

async function findRow(storage: Storage, id: string): Promise<Row | undefined> {
  return await selectRows(storage).where('id', '=', id).executeTakeFirst()
}

/** Changes nothing, and fails when no active owner is left: of any number of patches at once, the last one out stays. */
function stillOwned({ db }: Storage): Statement {
  const query = db
    .updateTable('administrators')
    .set(eb => ({ id: eb.ref('id') }))
    .where('id', '=', eb =>
      eb
        .selectFrom('administrators as owners')
        .select('owners.id')
        .where('owners.role', '=', 'owner')
        .where('owners.status', '=', 'active')
        .orderBy('owners.id')
        .limit(1),
    )
  return { query, expectRows: 1 }
}

function toRecord(row: Row): AdministratorRecord {
  return {
    id: row.id,
    object: 'administrator',
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    two_factor: Boolean(row.two_factor),
    created_at: rfc3339(row.created_at),
  }
}
