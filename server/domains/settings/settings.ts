import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { ServiceError } from '#contract/errors.ts'
import { type patchSettings, type Settings, settings as settingsSchema } from '#contract/settings.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, untilUnraced } from '#domains/audit/careful-update.ts'
import type { Changes } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome } from '#lib/outcome.ts'
import type { Statement, Storage } from '#storage/storage.ts'

export type SettingsPatch = z.infer<typeof patchSettings>

const DEFAULTS: Settings = {
  sign_up: 'open',
  email_verification: 'optional',
  default_limits: { requests: 600, window_seconds: 60, concurrency: 32 },
  require_two_factor: false,
  request_retention_days: null,
  invoice_instructions: '',
  low_balance_percent: 10,
  receipt_seller: '',
  branding: { name: 'Goldweight', logo: null, colour: null },
  pricing: { credit_usd: 1, margin_percent: 0 },
}

/** The row that counts the changes, so that of two at once the later one begins with what the earlier one left. */
const REVISION = 'revision'

/** How old the picture in this process may be when the message that it changed was lost. */
const MAX_AGE_MS = 1000

export type SettingsRegister = {
  /** The settings as they are now. Rejects when the store can't be read: a guess could open what the operator closed. */
  get(): Promise<Settings>
  /** As they were last read, at once and without a fault, for what is only told: beyond a second old, read behind it. */
  latest(): Settings
  /** Changes what the patch names and leaves the rest; gives the settings as they are then. 409 too many at once. */
  patch(patch: SettingsPatch, actor: Actor): Promise<Outcome<Settings, ServiceError>>
}

export type SettingsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly audit: Audit
}

export function createSettings({ storage, clock, changes, audit }: SettingsParts): SettingsRegister {
  let lastRead = DEFAULTS
  let picture: { readonly reading: Promise<Settings>; readonly askedAtMs: number } | null = null
  changes.subscribe(change => {
    if (change.kind === 'settings' || change.kind === 'resync') picture = null
  })

  function get(): Promise<Settings> {
    const nowMs = clock.monotonicMs()
    if (picture && nowMs - picture.askedAtMs < MAX_AGE_MS) return picture.reading
    // The reading itself is kept, not its result: whoever asks meanwhile shares it, and a change drops it under way.
    const current = { reading: readRows(storage).then(toSettings), askedAtMs: nowMs }
    picture = current
    current.reading.then(
      read => {
        if (picture === current) lastRead = read
      },
      () => {
        if (picture === current) picture = null
      },
    )
    return current.reading
  }

  async function patchOnce(
    change: SettingsPatch,
    actor: Actor,
  ): Promise<Outcome<Settings, ServiceError> | typeof RACED> {
    const values = flatten(change)
    const stored = await readRows(storage)
    const before = toSettings(stored)
    if (values.length === 0) return accepted(before)
    const after = merge(before, change)
    const outcome = await storage.commit([
      nextRevision(storage, stored.get(REVISION)),
      ...values.map(([name, value]) => upsert(storage, name, value)),
      audit.entry({
        actor,
        action: 'settings.update',
        target: { type: 'settings', id: 'settings' },
        before: forTheRecord(before),
        after: forTheRecord(after),
      }),
    ])
    if (outcome.kind !== 'committed') return RACED
    changes.publish({ kind: 'settings' })
    return accepted(after)
  }

  function latest(): Settings {
    get().catch(() => {})
    return lastRead
  }

  return { get, latest, patch: (change, actor) => untilUnraced(() => patchOnce(change, actor)) }
}

/** A picture is told by its digest: the log tells that it was changed, and does not hold each of them twice. */
function forTheRecord(settings: Settings): Settings {
  const { logo } = settings.branding
  const digest = logo && `sha256:${createHash('sha256').update(logo).digest('hex')}`
  return { ...settings, branding: { ...settings.branding, logo: digest } }
}

/** The patch laid over the settings: a group keeps what the patch does not name of it. */
function merge(before: Settings, change: SettingsPatch): Settings {
  return settingsSchema.parse(unflatten(new Map([...flatten(before), ...flatten(change)])))
}

/**
 * Every setting is a row of its own, and a group such as the default limits a row a member (`default_limits.requests`),
 * so that two patches of different settings never undo each other.
 */
function flatten(values: object): [name: string, value: unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined) return []
    if (!isGroup(value)) return [[name, value]]
    return Object.entries(value).flatMap(([member, inner]) =>
      inner === undefined ? [] : [[`${name}.${member}`, inner] satisfies [string, unknown]],
    )
  })
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unflatten(rows: StoredValues): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [path, value] of rows) {
    const [name = '', member] = path.split('.')
    if (member === undefined) values[name] = value
    else values[name] = { ...(isGroup(values[name]) ? values[name] : {}), [member]: value }
  }
  return values
}

function upsert({ db }: Storage, name: string, value: unknown): Statement {
  const value_json = JSON.stringify(value)
  const query = db
    .insertInto('settings')
    .values({ name, value_json })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value_json }))
  return { query, expectRows: 1 }
}

/** Counts one change more; the unit fails when another came since `revision` was read. */
function nextRevision({ db }: Storage, revision: unknown): Statement {
  const next = JSON.stringify(Number(revision ?? 0) + 1)
  const query = db
    .insertInto('settings')
    .values({ name: REVISION, value_json: next })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ value_json: next })
        .where('settings.value_json', '=', JSON.stringify(revision ?? 0)),
    )
  return { query, expectRows: 1 }
}

type StoredValues = ReadonlyMap<string, unknown>

async function readRows({ db }: Storage): Promise<StoredValues> {
  const rows = await db.selectFrom('settings').selectAll().execute()
  return new Map(rows.map(row => [row.name, JSON.parse(row.value_json) as unknown]))
}

/** What is stored, over the defaults of whatever is not. */
function toSettings(stored: StoredValues): Settings {
  return settingsSchema.parse(unflatten(new Map([...flatten(DEFAULTS), ...stored])))
}
