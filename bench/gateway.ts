import { randomUUID } from 'node:crypto'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { account } from '#contract/accounts.ts'
import { adminModel, provider } from '#contract/catalog.ts'
import { createdApiKey } from '#contract/keys.ts'
import { ledgerEntry } from '#contract/ledger.ts'
import packageJson from '../package.json' with { type: 'json' }
import { type AdminClient, signInAsAdministrator } from './admin-client.ts'
import type { Child, Children } from './children.ts'
import type { Target } from './driver/jobs.ts'
import { PUBLIC_MODEL } from './driver/requests.ts'
import { CHARGE_MICROS, UPSTREAM_MODEL, WEIGHTS } from './fixed/chat.ts'

export type Gateway = {
  readonly target: Target
  readonly child: Child
  /** Throws unless exactly so many requests, and nothing else, were charged since the gateway's start. */
  checkBooks(succeeded: number): Promise<void>
}

const START_TIMEOUT_MS = 30_000

/** More than any run can use up: none of the three controls is to refuse anything here, yet each is at work. */
const CREDITS = 1_000_000
const LIMITS = { requests: 1_000_000, window_seconds: 1, concurrency: 100_000 }

/** The flags that `npm start` gives Node: the bare proxy gets them too. */
export const START_FLAGS = packageJson.scripts.start.split(' ').filter(word => word.startsWith('--'))

async function findFreePort(): Promise<number> {
  const server = net.createServer()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  await closed.promise
  return address.port
}

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

export type GatewayOptions = { readonly upstreamPort: number; readonly kind: UpstreamKind }

/** Makes an account with credits and a key, and a model that the fixed upstream serves. */
async function setUp(admin: AdminClient, { upstreamPort, kind }: GatewayOptions) {
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
  return { accountId: made.id, token: key.token }
}

/** Starts the gateway with a data folder of its own and sets it up over its admin routes. */
export async function startGateway(children: Children, options: GatewayOptions): Promise<Gateway> {
  const port = await findFreePort()
  const credentials = { email: 'bench@example.org', password: randomUUID() }
  const child = children.start({
    name: `gateway (${options.kind})`,
    role: 'target',
    nodeArguments: [...START_FLAGS, path.join(import.meta.dirname, '../server/main.ts')],
    environment: {
      HOST: '127.0.0.1',
      PORT: String(port),
      GOLDWEIGHT_DATA_DIR: children.temporaryFolder(),
      GOLDWEIGHT_ADMIN_EMAIL: credentials.email,
      GOLDWEIGHT_ADMIN_PASSWORD: credentials.password,
      GOLDWEIGHT_DEMO: 'off',
    },
    speaks: false,
  })
  const origin = `http://127.0.0.1:${port}`
  await Promise.race([becomesReady(origin), child.ended])
  const admin = await signInAsAdministrator(origin, credentials)
  const { accountId, token } = await setUp(admin, options)
  return {
    target: { port, pid: child.pid, token },
    child,
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
