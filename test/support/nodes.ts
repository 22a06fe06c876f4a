/** Several nodes of one service, each a process of its own, over a Postgres and a Redis of the test's own. */
import { openPostgresForReading } from '#storage/postgres/postgres-storage.ts'
import type { ReadOnlyStorage } from '#storage/storage.ts'
import { type AdminClient, makeModel, signInAsAdmin } from './admin-client.ts'
import { type GatewayProcess, spawnGateway } from './gateway.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { type RedisServer, startRedisServer } from './redis-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** Known by the same name upstream and to callers. */
export const MODEL = 'upstream-model'
export const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }

export type ServiceNode = GatewayProcess & { readonly admin: AdminClient; readonly dataDir: string }

export type ServiceNodes = {
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly upstream: Upstream
  /** What every node is started with. */
  readonly env: Readonly<Record<string, string>>
  /** The nodes that were started and not ended, in their order. */
  readonly nodes: readonly ServiceNode[]
  /** The node at this place; throws when there is none. */
  node(index: number): ServiceNode
  /** `extraEnv`: what this one is started with beside, or instead of, what all are. */
  start(dataDir?: string, extraEnv?: Readonly<Record<string, string>>): Promise<ServiceNode>
  end(node: ServiceNode, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  /** The store, to be looked at beside the nodes. */
  openStorage(): Promise<ReadOnlyStorage>
  close(): Promise<void>
}

export type NodesOptions = {
  /** Other servers than the plain ones. */
  readonly postgres?: Promise<PostgresServer>
  readonly redis?: Promise<RedisServer>
  /** What every node is started with beside where the stores are. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts as many nodes, all at once, as they are where containers are started; with one model for chat. */
export async function startNodes(count: number, options: NodesOptions = {}): Promise<ServiceNodes> {
  const [postgres, redis, upstream] = await Promise.all([
    options.postgres ?? startPostgresServer(),
    options.redis ?? startRedisServer(),
    startUpstream(),
  ])
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    GOLDWEIGHT_SECRET: 'a secret for tests alone',
    ...options.env,
  }
  const folders: { remove(): Promise<void> }[] = []
  const nodes: ServiceNode[] = []

  async function newFolder(): Promise<string> {
    const folder = await makeTemporaryFolder()
    folders.push(folder)
    return folder.path
  }

  async function start(dataDir?: string, extraEnv = {}): Promise<ServiceNode> {
    const folder = dataDir ?? (await newFolder())
    const gateway = await spawnGateway(folder, { ...env, ...extraEnv })
    const node = { ...gateway, admin: await signInAsAdmin(gateway.url), dataDir: folder }
    nodes.push(node)
    return node
  }

  function node(index: number): ServiceNode {
    const found = nodes[index]
    if (!found) throw new Error(`There is no node ${index}`)
    return found
  }

  await Promise.all(Array.from({ length: count }, () => start()))
  await makeModel(node(0).admin, MODEL, { routes: [{ baseUrl: upstream.baseUrl }] })
  return {
    postgres,
    redis,
    upstream,
    env,
    nodes,
    node,
    start,
    end: (ended, signal) => {
      nodes.splice(nodes.indexOf(ended), 1)
      return ended.end(signal)
    },
    openStorage: () => openPostgresForReading(postgres.url),
    close: async () => {
      await Promise.all(nodes.splice(0).map(each => each.end('SIGKILL')))
      await Promise.all([postgres.stop(), redis.stop(), upstream.close()])
      await Promise.all(folders.map(folder => folder.remove()))
    },
  }
}
