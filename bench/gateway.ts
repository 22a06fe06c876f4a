import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { account } from '#contract/accounts.ts'
import { adminModel, provider } from '#contract/catalog.ts'
import { createdApiKey } from '#contract/keys.ts'
import { ledgerEntry } from '#contract/ledger.ts'
import packageJson from '../package.json' with { type: 'json' }
import { type AdminClient, signInAsAdministrator } from './admin-client.ts'
import type { Child, Children } from './children.ts'
import type { DialectName } from './driver/dialects.ts'
import type { Target } from './driver/jobs.ts'
import { PUBLIC_MODEL } from './driver/requests.ts'
import { CHARGE_MICROS, UPSTREAM_MODEL, WEIGHTS } from './fixed/chat.ts'
import { findFreePort } from './free-port.ts'
import type { Stores } from './stores.ts'

export type Gateway = {
  readonly target: Target
  /** One for each node. */
  readonly processes: readonly Child[]
  /** Throws unless exactly so many requests, and nothing else, were charged since the gateway's start. */
  checkBooks(succeeded: number): Promise<void>
}

const START_TIMEOUT_MS = 30_000

/** More than any run can use up: none of the three controls is to refuse anything here, yet each is at work. */
const CREDITS = 1_000_000
const LIMITS = { requests: 1_000_000, window_seconds: 1, concurrency: 100_000 }

/** The flags that `npm start` gives Node: the bare proxy gets them too. */
export const START_FLAGS = packageJson.scripts.start.split(' ').filter(word => word.startsWith('--'))

async function becomesReady(origin: string): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  let last = 'no answer'
  while (performance.now() < deadlineMs) {
    try {
      const response = await fetch(`${origin}/health/ready`, { signal: AbortSignal.timeout(2000) })
      await response.body?.cancel()
      if (response.ok) return
      last = `status ${response.status}`
    } catch {
      // It does not listen yet.
    }
    await sleep(50)
  }
  throw new Error(`the gateway was not ready within ${START_TIMEOUT_MS / 1000} s: ${last}`)
}

/** The protocols of upstreams that are measured, and where the upstream speaks each. */
const BASE_PATHS = { openai: '/v1', anthropic: '/v1', gemini: '/v1beta' } as const
export type UpstreamKind = keyof typeof BASE_PATHS

export type GatewayOptions = {
  readonly upstreamPort: number
  readonly kind: UpstreamKind
  /** In whose words callers ask. */
  readonly dialect: DialectName
  /** null: the embedded ones. */
  readonly stores: Stores | null
  /** How many nodes, all over the same stores. */
  readonly nodes: number
  /** Whether each node has a slice of a core to itself, and no more, once it is set up. */
  readonly isSliced: boolean
}

/** Makes an account with credits and a key, and a model that the fixed upstream serves. */
export async function setUp(
  admin: AdminClient,
  { upstreamPort, kind }: Pick<GatewayOptions, 'upstreamPort' | 'kind'>,
) {
  const owner = { email: 'owner@example.org', name: 'Owner', password: randomUUID() }
  const made = await admin.post('/admin/accounts', { name: 'Bench', owner }, account)
  const grant = { amount: CREDITS, kind: 'grant', note: 'bench' }
  await admin.post(`/admin/accounts/${made.id}/credits`, grant, ledgerEntry)
  const keyFields = { user_id: made.owner.id, name: 'Bench', limits: LIMITS }
  const key = await admin.post('/admin/keys', keyFields, createdApiKey)
  const upstream = {
    name: 'Fixed upstream',
    kind,
    base_url: `http://127.0.0.1:${upstreamPort}${BASE_PATHS[kind]}`,
    credential: 'fixed-upstream-credential',
  }
  const { id: providerId } = await admin.post('/admin/providers', upstream, provider)
  const routes = [{ provider_id: providerId, upstream_model: UPSTREAM_MODEL }]
  await admin.post(
    '/admin/models',
    { id: PUBLIC_MODEL, name: 'Bench', endpoints: ['chat'], weights: WEIGHTS, routes },
    adminModel,
  )
  return { accountId: made.id, owner: { ...owner, id: made.owner.id }, keyId: key.id, token: key.token }
}

export type Node = { readonly port: number; readonly child: Child }

export type NodeOptions = {
  readonly name: string
  readonly dataDir: string
  /** Of the first administrator. */
  readonly credentials: { readonly email: string; readonly password: string }
  /** null: the embedded ones. */
  readonly stores: Stores | null
}

/** Starts one process and waits until it is ready. */
export async function startNode(
  children: Children,
  { name, dataDir, credentials: { email, password }, stores }: NodeOptions,
): Promise<Node> {
  const port = await findFreePort()
  const child = children.start({
    name,
    role: 'target',
    nodeArguments: [...START_FLAGS, path.join(import.meta.dirname, '../server/main.ts')],
    environment: {
      HOST: '127.0.0.1',
      PORT: String(port),
      GOLDWEIGHT_DATA_DIR: dataDir,
      GOLDWEIGHT_ADMIN_EMAIL: email,
      GOLDWEIGHT_ADMIN_PASSWORD: password,
      GOLDWEIGHT_DEMO: 'off',
      ...stores?.environment,
    },
    speaks: false,
  })
  await Promise.race([becomesReady(originOf(port)), child.ended])
  return { port, child }
}

/** Where a node on this port is found. */
export const originOf = (port: number) => `http://127.0.0.1:${port}`

/** Starts the gateway, of one node or more, and sets it up over its admin routes. */
export async function startGateway(children: Children, options: GatewayOptions): Promise<Gateway> {
  const credentials = { email: 'bench@example.org', password: randomUUID() }
  const nodes: Node[] = []
  while (nodes.length < options.nodes) {
    const dataDir = children.temporaryFolder()
    const name = `gateway (${options.kind})`
    nodes.push(await startNode(children, { name, dataDir, credentials, stores: options.stores }))
  }
  const ports = nodes.map(({ port }) => port)
  const admin = await signInAsAdministrator(originOf(ports[0] ?? 0), credentials)
  const { accountId, token } = await setUp(admin, options)
  const slices = options.isSliced ? nodes.map(({ child }) => children.confine(child)) : []
  return {
    target: {
      ports,
      pids: nodes.map(({ child }) => child.pid),
      storePids: options.stores?.pids ?? [],
      sliceStatPaths: slices.map(({ statPath }) => statPath),
      token,
      dialect: options.dialect,
    },
    processes: nodes.map(({ child }) => child),
    checkBooks: async succeeded => {
      const { used } = await admin.get(`/admin/accounts/${accountId}`, account)
      const usedMicros = Math.round(used * 1_000_000)
      const dueMicros = succeeded * CHARGE_MICROS
      if (usedMicros === dueMicros) return
      throw new Error(
        `void: ${succeeded} requests succeeded and cost ${dueMicros} micro-credits, the books say ${usedMicros}`,
      )
    },
  }
}
