import type { z } from 'zod'
import { type patchSettings, type Settings, settings as settingsSchema } from '#contract/settings.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import type { Changes } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import type { Statement, Storage } from '#storage/storage.ts'

export type SettingsPatch = z.infer<typeof patchSettings>

const DEFAULTS: Settings = {
  sign_up: 'open',
  default_limits: { requests: 600, window_seconds: 60, concurrency: 32 },
}

/** How old the picture in this process may be when the message that it changed was lost. */
const MAX_AGE_MS = 1000

export type SettingsRegister = {
  /** The settings as they are now. Rejects when the store can't be read: a guess could open what the operator closed. */
  get(): Promise<Settings>
  /** Changes what the patch names and leaves the rest; gives the settings as they are then. */
  patch(patch: SettingsPatch, actor: Actor): Promise<Settings>
}

export type SettingsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly audit: Audit
}

export function createSettings({ storage, clock, changes, audit }: SettingsParts): SettingsRegister {
  let picture: { readonly reading: Promise<Settings>; readonly askedAtMs: number } | null = null
  changes.subscribe(change => {
    if (change.kind === 'settings') picture = null
  })

  function get(): Promise<Settings> {
    const nowMs = clock.monotonicMs()
    if (picture && nowMs - picture.askedAtMs < MAX_AGE_MS) return picture.reading
    // The reading itself is kept, not its result: whoever asks meanwhile shares it, and a change drops it under way.
    const current = { reading: readSettings(storage), askedAtMs: nowMs }
    picture = current
    current.reading.catch(() => {
      if (picture === current) picture = null
    })
    return current.reading
  }

  async function patch(change: SettingsPatch, actor: Actor): Promise<Settings> {
    const values = toRows(change)
    const before = await readSettings(storage)
    if (values.length === 0) return before
    const after = merge(before, change)
    await storage.commit([
      ...values.map(([name, value]) => upsert(storage, name, value)),
      audit.entry({
        actor,
        action: 'settings.update',
        target: { type: 'settings', id: 'settings' },
        before,
        after,
      }),
    ])
    changes.publish({ kind: 'settings' })
    return after
  }

  return { get, patch }
}

function merge(before: Settings, { sign_up = before.sign_up, default_limits }: SettingsPatch): Settings {
  return { sign_up, default_limits: { ...before.default_limits, ...definedOnly(default_limits ?? {}) } }
}

/** A limit is a row of its own, so that two patches of different limits never undo each other. */
function toRows({ sign_up, default_limits = {} }: SettingsPatch): [name: string, value: unknown][] {
  const limits = Object.entries(default_limits).map(([name, value]): [string, unknown] => [
    `default_limits.${name}`,
    value,
  ])
  return [['sign_up', sign_up] as [string, unknown], ...limits].filter(([, value]) => value !== undefined)
}

function definedOnly<Values extends object>(values: Values): Partial<Values> {
  // Dropping keys of a record leaves a part of it.
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Values>
}

function upsert({ db }: Storage, name: string, value: unknown): Statement {
  const value_json = JSON.stringify(value)
  const query = db
    .insertInto('settings')
    .values({ name, value_json })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value_json }))
  return { query, expectRows: 1 }
}

async function readSettings({ db }: Storage): Promise<Settings> {
  const rows = await db.selectFrom('settings').selectAll().execute()
  const stored = new Map(rows.map(row => [row.name, JSON.parse(row.value_json) as unknown]))
  const limit = (name: keyof Settings['default_limits']) =>
    stored.get(`default_limits.${name}`) ?? DEFAULTS.default_limits[name]
  return settingsSchema.parse({
    sign_up: stored.get('sign_up') ?? DEFAULTS.sign_up,
    default_limits: {
      requests: limit('requests'),
      window_seconds: limit('window_seconds'),
      concurrency: limit('concurrency'),
    },
  })
}
