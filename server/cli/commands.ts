import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type AdministratorRole, administratorRole } from '#contract/administrators.ts'
import type { ServiceError } from '#contract/errors.ts'
import type { Actor } from '#domains/audit/audit.ts'
import { createConfiguration } from '#domains/configuration/apply.ts'
import { readConfigurationFile } from '#domains/configuration/configuration-file.ts'
import { readCurrentItems } from '#domains/configuration/current-items.ts'
import { exportConfiguration } from '#domains/configuration/export.ts'
import type { Step } from '#domains/configuration/plan.ts'
import { normalizeEmail } from '#domains/identity/email.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import type { Domains } from '../app.ts'

/** The command was not understood; the help follows. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Options = {
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly role?: string | undefined
  readonly user?: string | undefined
  readonly expires?: string | undefined
  readonly account?: string | undefined
  readonly amount?: string | undefined
  readonly note?: string | undefined
  readonly file?: string | undefined
}

export type CommandParts = Domains & {
  readonly storage: Storage
  readonly secret: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Gives what is to be printed. */
type Command = (parts: CommandParts, options: Options) => Promise<string>

const SYSTEM: Actor = { type: 'system', id: null }

/** By their two words. What they change is on the audit log, made by the system. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['administrator create', createAdministrator],
  ['administrator reset', resetAdministrator],
  ['key create', createKey],
  ['credits grant', grantCredits],
  ['configuration diff', showDifference],
  ['configuration apply', applyFile],
  ['configuration export', async parts => exportConfiguration(await readCurrentItems(parts))],
])

async function createAdministrator(parts: CommandParts, { email, name, role }: Options): Promise<string> {
  const password = newPassword()
  const given = {
    email: required('--email', email),
    name: name ?? 'Administrator',
    password,
    role: readRole(role),
  }
  mustHave(await parts.administratorRegister.create(given, SYSTEM))
  return `Administrator ${given.email} (${given.role}), password: ${password}`
}

async function resetAdministrator(parts: CommandParts, options: Options): Promise<string> {
  const email = normalizeEmail(required('--email', options.email))
  const row = await parts.storage.db
    .selectFrom('administrators')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (!row) throw new Error(`There is no administrator ${email}`)
  const password = newPassword()
  mustHave(await parts.administratorRegister.patch(row.id, { password, status: 'active' }, SYSTEM))
  // Somebody without a second factor has none to lose.
  await parts.resetTwoFactor({ realm: 'admin', id: row.id }, SYSTEM)
  return `Administrator ${email}, password: ${password}`
}

async function createKey(parts: CommandParts, { user, name, expires }: Options): Promise<string> {
  const email = normalizeEmail(required('--user', user))
  const row = await parts.storage.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (!row) throw new Error(`There is no user ${email}`)
  const key = { userId: row.id, name: required('--name', name), expiresAt: expires ?? null }
  const made = mustHave(await parts.keys.create(key, { administrator: SYSTEM }))
  return `Key ${made.id}: ${made.token}`
}

async function grantCredits(parts: CommandParts, { account, amount, note }: Options): Promise<string> {
  const credits = Number(required('--amount', amount))
  if (!Number.isFinite(credits)) throw new UsageError('--amount must be a number')
  const change = { amount: credits, kind: 'grant' as const, note: note ?? '' }
  const entry = mustHave(await parts.credits.change(required('--account', account), change, SYSTEM))
  return `Granted ${entry.amount} credits; the balance is ${entry.balance_after}`
}

async function showDifference(parts: CommandParts, options: Options): Promise<string> {
  const steps = await createConfiguration(parts).plan(await readFileOf(parts, options))
  return steps.length === 0 ? 'Nothing would change' : steps.map(describeStep).join('\n')
}

async function applyFile(parts: CommandParts, options: Options): Promise<string> {
  const applied = await createConfiguration(parts).apply(await readFileOf(parts, options))
  if (!applied.ok) throw new Error(applied.refusal)
  return applied.value.length === 0 ? 'Nothing changed' : applied.value.map(describeStep).join('\n')
}

async function readFileOf({ env }: CommandParts, { file }: Options) {
  const path = required('a file', file)
  const read = readConfigurationFile(await readFile(path, 'utf8'), name => env[name])
  if (!read.ok) throw new Error(`${path} ${read.refusal}`)
  return read.value
}

function describeStep({ action, kind, name, changes }: Step): string {
  const fields = changes.map(
    ({ field, from, to }) => `\n    ${field}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
  )
  return `${action} ${kind} ${name}${fields.join('')}`
}

function newPassword(): string {
  return randomBytes(15).toString('base64url')
}

function required(what: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing`)
  return value
}

function readRole(text: string | undefined): AdministratorRole {
  const role = administratorRole.safeParse(text ?? 'owner')
  if (!role.success) throw new UsageError('--role must be owner, operator or viewer')
  return role.data
}

function mustHave<Value>(outcome: Outcome<Value, ServiceError>): Value {
  if (!outcome.ok) throw new Error(outcome.refusal.message)
  return outcome.value
}
