/** What an empty service needs so that its operator has an answer from a model with the next paste. */
import { randomBytes } from 'node:crypto'
import type { ServiceError } from '#contract/errors.ts'
import type { Actor } from '#domains/audit/audit.ts'
import {
  findEnvironmentProviders,
  setUpEnvironmentProviders,
} from '#domains/catalog/environment-providers.ts'
import { DEMO_KIND } from '#domains/catalog/provider-input.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { Log } from '#telemetry/log.ts'
import type { Domains } from './app.ts'
import type { Config } from './config.ts'

const SYSTEM: Actor = { type: 'system', id: null }
const DEMO_MODEL = 'demo/echo'
const STARTING_CREDITS = 1_000
const OWNER_EMAIL = 'owner@goldweight.local'

export type FirstStart = {
  /** null when there was an administrator already. */
  readonly administrator: { readonly email: string; readonly generatedPassword: string | null } | null
  /** null when nothing was set up to be called. */
  readonly trial: {
    readonly model: string
    readonly token: string
    readonly owner: { readonly email: string; readonly password: string }
  } | null
}

export type FirstStartOptions = {
  readonly config: Pick<Config, 'admin' | 'demo' | 'providerKeys'>
  readonly log: Log
  readonly nowMs: number
}

/** Makes what is missing of: an administrator, providers with models, and an account with credits and a key. */
export async function setUpFirstStart(domains: Domains, options: FirstStartOptions): Promise<FirstStart> {
  const administrator = await domains.administrators.createFirst(options.config.admin)
  const existing = await domains.providers.list({ limit: 1, after: null })
  if (existing.items.length > 0) return { administrator, trial: null }
  const fromEnvironment = await setUpEnvironmentProviders(
    findEnvironmentProviders(options.config.providerKeys),
    {
      ...domains,
      log: options.log,
      nowMs: options.nowMs,
    },
  )
  if (!options.config.demo) return { administrator, trial: null }
  if (fromEnvironment.providers.length === 0) await setUpDemoModel(domains)
  const model = fromEnvironment.providers.length === 0 ? DEMO_MODEL : fromEnvironment.models[0]
  return { administrator, trial: model === undefined ? null : await setUpTrial(domains, model) }
}

function mustHave<Value>(outcome: Outcome<Value, ServiceError>): Value {
  if (!outcome.ok) throw new Error(`The first start can't be set up: ${outcome.refusal.message}`)
  return outcome.value
}

async function setUpDemoModel({ providers, models }: Domains): Promise<void> {
  const provider = mustHave(
    await providers.create({ name: 'Demonstration', kind: DEMO_KIND, base_url: 'demo:echo' }, SYSTEM),
  )
  mustHave(
    await models.create(
      {
        id: DEMO_MODEL,
        name: 'Demonstration echo',
        description: 'Says back what it is told. Runs inside the gateway and needs no network.',
        owned_by: 'goldweight',
        context_window: 8_192,
        capabilities: ['streaming'],
        weights: { input: 1, cache_read: 0.1, cache_write: 1.25, output: 4 },
        routes: [{ provider_id: provider.id, upstream_model: 'echo', priority: 0, weight: 1 }],
      },
      SYSTEM,
    ),
  )
}

/** An account to try the service with, unless there are accounts already. */
async function setUpTrial(domains: Domains, model: string): Promise<FirstStart['trial']> {
  const existing = await domains.accounts.list({}, { limit: 1, after: null })
  if (existing.items.length > 0) return null
  const password = randomBytes(15).toString('base64url')
  const account = mustHave(
    await domains.accounts.create(
      { name: 'First account', owner: { email: OWNER_EMAIL, name: 'First user', password } },
      SYSTEM,
    ),
  )
  mustHave(
    await domains.credits.change(
      account.id,
      { amount: STARTING_CREDITS, kind: 'grant', note: 'To try the service' },
      SYSTEM,
    ),
  )
  const key = mustHave(
    await domains.keys.create({ userId: account.owner.id, name: 'First key' }, { administrator: SYSTEM }),
  )
  return { model, token: key.token, owner: { email: OWNER_EMAIL, password } }
}
