import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import type { Actor } from '#domains/audit/audit.ts'
import type { SettingsPatch } from '#domains/settings/settings.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { ConfigurationFile, ModelItem } from './configuration-file.ts'
import { type ConfigurableDomains, readCurrentItems } from './current-items.ts'
import type { ManagedItems } from './managed-items.ts'
import { planChanges, type Step } from './plan.ts'

const SYSTEM: Actor = { type: 'system', id: null }

/** A configuration file on its way into the service. Each change is on the audit log, made by the system. */
export type Configuration = {
  /** What applying the file would change, in order. */
  plan(file: ConfigurationFile): Promise<Step[]>
  /**
   * Takes the steps one after another; refused with the first that the service refuses, named. What was done before
   * it stays, and applying again goes on from there.
   */
  apply(file: ConfigurationFile): Promise<Outcome<Step[], string>>
}

export type ConfigurationParts = ConfigurableDomains & {
  readonly managedItems: ManagedItems
  readonly secret: string | Uint8Array
}

export function createConfiguration(parts: ConfigurationParts): Configuration {
  const { managedItems, secret } = parts

  async function plan(file: ConfigurationFile): Promise<Step[]> {
    const [current, managed] = await Promise.all([readCurrentItems(parts), managedItems.list()])
    return planChanges({ file, current, managed, secret })
  }

  return {
    plan,
    apply: async file => {
      const steps = await plan(file)
      for (const step of steps) {
        const taken = await takeStep(parts, file, step)
        if (!taken.ok) return refused(`${step.kind} ${step.name}: ${taken.refusal.message}`)
        if (step.fingerprint === null) await managedItems.remove(step.kind, step.name)
        else {
          const { kind, name, fingerprint } = step
          await managedItems.put({ kind, name, item_id: taken.value, fingerprint })
        }
      }
      return accepted(steps)
    },
  }
}

/** Gives the id of what was made or changed. */
async function takeStep(
  parts: ConfigurationParts,
  file: ConfigurationFile,
  step: Step,
): Promise<Outcome<string, ServiceError>> {
  switch (step.kind) {
    case 'setting':
      return takeSetting(parts, file, step)
    case 'provider':
      return takeProvider(parts, file, step)
    case 'model':
      return takeModel(parts, file, step)
    case 'package':
      return takePackage(parts, file, step)
  }
}

async function takeSetting(
  { settings }: ConfigurationParts,
  file: ConfigurationFile,
  { name, action }: Step,
): Promise<Outcome<string, ServiceError>> {
  // A setting that the file lets go keeps its value, and administrators may change it again.
  if (action === 'delete') return accepted(name)
  const key = name as keyof Settings // the plan names settings as the file's schema does
  const patch: SettingsPatch = { [key]: file.settings?.[key] }
  return idOf(name, await settings.patch(patch, SYSTEM))
}

async function takeProvider(
  { providers }: ConfigurationParts,
  file: ConfigurationFile,
  { name, itemId }: Step,
): Promise<Outcome<string, ServiceError>> {
  const item = file.providers?.find(each => each.name === name)
  if (!item)
    return itemId === null ? accepted(name) : idOf(itemId, await orGone(providers.delete(itemId, SYSTEM)))
  if (itemId === null) {
    const made = await providers.create(item, SYSTEM)
    return made.ok ? accepted(made.value.id) : made
  }
  const { kind, ...patch } = item
  const found = await providers.find(itemId)
  if (found && found.kind !== kind)
    return refused(refusals.conflict(`its kind is ${found.kind} and can not change`))
  return idOf(itemId, await providers.patch(itemId, patch, SYSTEM))
}

async function takeModel(
  parts: ConfigurationParts,
  file: ConfigurationFile,
  { name, itemId }: Step,
): Promise<Outcome<string, ServiceError>> {
  const { models } = parts
  const item = file.models?.find(each => each.id === name)
  if (!item) return idOf(name, await orGone(models.delete(name, SYSTEM)))
  const routes = await resolveRoutes(parts, item)
  if (!routes.ok) return routes
  const { routes: _named, ...fields } = item
  const given = { ...fields, ...(routes.value ? { routes: routes.value } : {}) }
  return idOf(
    name,
    itemId === null ? await models.create(given, SYSTEM) : await models.patch(name, given, SYSTEM),
  )
}

async function resolveRoutes(parts: ConfigurationParts, { routes }: ModelItem) {
  if (routes === undefined) return accepted(null)
  const { providers } = await readCurrentItems(parts)
  const ids = new Map(providers.map(({ id, name }) => [name, id]))
  const unknown = routes.find(route => !ids.has(route.provider))
  if (unknown) return refused(refusals.invalid(`there is no provider ${unknown.provider}`))
  return accepted(
    routes.map(({ provider, ...route }) => ({ ...route, provider_id: ids.get(provider) ?? '' })),
  )
}

async function takePackage(
  { packages }: ConfigurationParts,
  file: ConfigurationFile,
  { name, itemId }: Step,
): Promise<Outcome<string, ServiceError>> {
  const item = file.packages?.find(each => each.name === name)
  if (item && itemId === null) {
    const made = await packages.create(item, SYSTEM)
    return made.ok ? accepted(made.value.id) : made
  }
  if (itemId === null) return accepted(name)
  if (item) return idOf(itemId, await packages.patch(itemId, item, SYSTEM))
  const deleted = await orGone(packages.delete(itemId, SYSTEM))
  if (deleted.ok || deleted.refusal.status !== 409) return idOf(itemId, deleted)
  // Orders name it: it stays on record, and is not sold any more.
  return idOf(itemId, await packages.patch(itemId, { on_sale: false }, SYSTEM))
}

/** What is gone already needs no deleting. */
async function orGone(deleting: Promise<Outcome<null, ServiceError>>): Promise<Outcome<null, ServiceError>> {
  const outcome = await deleting
  return !outcome.ok && outcome.refusal.status === 404 ? accepted(null) : outcome
}

function idOf(id: string, outcome: Outcome<unknown, ServiceError>): Outcome<string, ServiceError> {
  return outcome.ok ? accepted(id) : outcome
}
