/** What applying a configuration file would change: worked out without changing anything. */
import { createHmac } from 'node:crypto'
import type { ManagedItemRow, ManagedKind } from '#storage/tables.ts'
import type { ConfigurationFile } from './configuration-file.ts'
import type { CurrentItems } from './current-items.ts'

export type FieldChange = { readonly field: string; readonly from: unknown; readonly to: unknown }

export type Step = {
  readonly action: 'create' | 'update' | 'delete'
  readonly kind: ManagedKind
  /** As the file names it. */
  readonly name: string
  /** null for one that is to be made. */
  readonly itemId: string | null
  readonly changes: readonly FieldChange[]
  /** What the file says of it, as one value that tells nothing; null for what it no longer names. */
  readonly fingerprint: string | null
}

export type PlanInput = {
  readonly file: ConfigurationFile
  readonly current: CurrentItems
  readonly managed: readonly ManagedItemRow[]
  /** Keys the fingerprints: they are made over credentials, too. */
  readonly secret: string | Uint8Array
}

/** Fields that are never shown, only whether they change. */
const SECRET_FIELDS = new Set(['credential', 'further_credentials', 'headers'])

/** Steps in the order in which they can be taken: what others refer to is made first and removed last. */
export function planChanges(input: PlanInput): Step[] {
  const { file, current } = input
  const providerNames = new Map(current.providers.map(({ id, name }) => [id, name]))
  const models = current.models.map(model => ({
    ...model,
    routes: model.routes.map(({ provider_id, upstream_model, priority, weight, cost }) => ({
      provider: providerNames.get(provider_id),
      upstream_model,
      priority,
      weight,
      cost,
    })),
  }))
  const settings = Object.entries(file.settings ?? {}).map(([name, value]) => ({ name, value }))
  const settingsNow = Object.entries(current.settings).map(([name, value]) => ({ id: name, name, value }))
  const sections: readonly Section[] = [
    { kind: 'setting', wanted: file.settings && settings, present: settingsNow, key: 'name' },
    { kind: 'provider', wanted: file.providers, present: current.providers, key: 'name' },
    { kind: 'model', wanted: file.models, present: models, key: 'id' },
    { kind: 'package', wanted: file.packages, present: current.packages, key: 'name' },
  ]
  const made = sections.flatMap(section => planSection(section, input))
  const removed = [...sections].reverse().flatMap(section => planRemovals(section, input.managed))
  return [...made, ...removed]
}

type Item = Readonly<Record<string, unknown>>

type Section = {
  readonly kind: ManagedKind
  /** undefined: the file says nothing of the kind, and leaves all of it alone. */
  readonly wanted: readonly Item[] | undefined
  readonly present: readonly Item[]
  readonly key: 'name' | 'id'
}

function planSection({ kind, wanted = [], present, key }: Section, { managed, secret }: PlanInput): Step[] {
  return wanted.flatMap((item): Step[] => {
    const name = String(item[key])
    const fingerprint = createHmac('sha256', secret).update(stable(item)).digest('base64url')
    const known = managed.find(each => each.kind === kind && each.name === name)
    const there = findMeant(
      present.filter(each => each[key] === item[key]),
      known,
    )
    if (!there) {
      return [{ action: 'create', kind, name, itemId: null, changes: changesOf({}, item), fingerprint }]
    }
    if (known?.fingerprint === fingerprint && known.item_id === there.id) return []
    return [
      {
        action: 'update',
        kind,
        name,
        itemId: String(there.id),
        changes: changesOf(there, item),
        fingerprint,
      },
    ]
  })
}

/** Packages alone may share a name: the one that the file manages is meant, else one that is on sale. */
function findMeant(named: readonly Item[], known: ManagedItemRow | undefined): Item | undefined {
  return (
    named.find(({ id }) => id === known?.item_id) ?? named.find(item => item.on_sale !== false) ?? named[0]
  )
}

/** What the file named when it was applied last, and names no longer. A setting is not removed but let go. */
function planRemovals({ kind, wanted, key }: Section, managed: readonly ManagedItemRow[]): Step[] {
  if (wanted === undefined) return []
  const names = new Set(wanted.map(item => String(item[key])))
  return managed
    .filter(each => each.kind === kind && !names.has(each.name))
    .map(({ name, item_id }) => ({
      action: 'delete',
      kind,
      name,
      itemId: item_id,
      changes: [],
      fingerprint: null,
    }))
}

function changesOf(before: Item, after: Item): FieldChange[] {
  return Object.entries(after).flatMap(([field, to]): FieldChange[] => {
    if (to === undefined) return []
    if (SECRET_FIELDS.has(field)) return [{ field, from: '(not shown)', to: '(not shown)' }]
    const from = before[field]
    return contains(from, to) ? [] : [{ field, from: from ?? null, to }]
  })
}

/** Whether a value is what the file says; of an object, members that the file does not name may be anything. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return (value ?? null) === wanted
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((each, index) => contains(value[index], each))
    )
  }
  if (typeof value !== 'object' || value === null) return false
  const members = new Map(Object.entries(value))
  return Object.entries(wanted).every(
    ([name, each]) => each === undefined || contains(members.get(name), each),
  )
}

/** JSON that does not depend on the order of members. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
