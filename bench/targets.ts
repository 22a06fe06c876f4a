import path from 'node:path'
import type { Child, Children } from './children.ts'
import type { DialectName } from './driver/dialects.ts'
import type { Target } from './driver/jobs.ts'
import { rssMegabytes } from './driver/meter.ts'
import { type Gateway, START_FLAGS, startGateway, type UpstreamKind } from './gateway.ts'
import { startStores } from './stores.ts'

/**
 * What is measured: the upstream itself, a proxy that only forwards, the gateway, one node and two nodes of it over
 * Postgres and Redis, the same with a slice of a core for each node, the gateway before upstreams of other protocols, and the gateway asked in other dialects before
 * upstreams that speak them; always in this order.
 */
export const TARGET_NAMES = [
  'direct',
  'bare',
  'gateway',
  'distributed',
  'two-nodes',
  'slow-node',
  'two-slow-nodes',
  'anthropic',
  'gemini',
  'messages',
  'responses',
] as const
export type TargetName = (typeof TARGET_NAMES)[number]

type SetUp = {
  readonly kind?: UpstreamKind
  readonly dialect?: DialectName
  readonly nodes?: number
  readonly isDistributed?: boolean
  /** Whether each node has a slice of a core to itself, and no more. */
  readonly isSliced?: boolean
}

const SET_UPS: Readonly<Partial<Record<TargetName, SetUp>>> = {
  distributed: { isDistributed: true },
  'two-nodes': { isDistributed: true, nodes: 2 },
  'slow-node': { isDistributed: true, isSliced: true },
  'two-slow-nodes': { isDistributed: true, isSliced: true, nodes: 2 },
  anthropic: { kind: 'anthropic' },
  gemini: { kind: 'gemini' },
  messages: { kind: 'anthropic', dialect: 'messages' },
  responses: { dialect: 'responses' },
}

export type Contestant = {
  readonly name: TargetName
  readonly target: Target
  readonly processes: readonly Child[]
  /** null for what keeps no books. */
  readonly gateway: Gateway | null
  /** Memory held when ready and before the first request; null where the system does not tell. */
  readonly idleRssMegabytes: number | null
}

export type Contest = {
  readonly upstreamPid: number
  readonly contestants: readonly Contestant[]
}

export type ContestOptions = {
  readonly children: Children
  readonly names: readonly TargetName[]
  readonly chunkIntervalMs: number
}

const START_TIMEOUT_MS = 15_000

/** Sent to the targets that do not look at it, as long as a real one, so that all requests have the same length. */
const IDLE_TOKEN = `gw_${'0'.repeat(49)}`

export function fileOf(name: string): string {
  return path.join(import.meta.dirname, name)
}

/** The port that a child says when it listens. */
export async function portOf(child: Child): Promise<number> {
  const message = await child.nextMessage(START_TIMEOUT_MS)
  if (
    typeof message === 'object' &&
    message !== null &&
    'port' in message &&
    typeof message.port === 'number'
  ) {
    return message.port
  }
  throw new Error(`${child.name} did not say its port`)
}

function contestant(
  name: TargetName,
  { processes, target }: Pick<Gateway, 'processes' | 'target'>,
  gateway: Gateway | null = null,
): Contestant {
  const held = processes.map(({ pid }) => rssMegabytes(pid))
  const idleRssMegabytes = held.some(each => each === null)
    ? null
    : held.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  return { name, processes, target, gateway, idleRssMegabytes }
}

/** What keeps no books, and so needs no set-up. */
function speaking(child: Child, port: number): Pick<Gateway, 'processes' | 'target'> {
  return {
    processes: [child],
    target: {
      ports: [port],
      pids: [child.pid],
      storePids: [],
      sliceStatPaths: [],
      token: IDLE_TOKEN,
      dialect: 'chat',
    },
  }
}

/** Starts the upstream and whatever is to be measured in front of it. */
export async function startContest({ children, names, chunkIntervalMs }: ContestOptions): Promise<Contest> {
  const upstream = children.start({
    name: 'upstream',
    role: 'load',
    nodeArguments: [fileOf('upstream.ts'), String(chunkIntervalMs)],
    speaks: true,
  })
  const upstreamPort = await portOf(upstream)
  const contestants: Contestant[] = []
  for (const name of names) {
    if (name === 'direct') {
      contestants.push(contestant(name, speaking(upstream, upstreamPort)))
    } else if (name === 'bare') {
      const bare = children.start({
        name: 'bare proxy',
        role: 'target',
        nodeArguments: [...START_FLAGS, fileOf('bare-proxy.ts'), String(upstreamPort)],
        speaks: true,
      })
      contestants.push(contestant(name, speaking(bare, await portOf(bare))))
    } else {
      const { kind = 'openai', dialect = 'chat', nodes = 1, ...setUp } = SET_UPS[name] ?? {}
      const stores = setUp.isDistributed ? await startStores(children) : null
      const { isSliced = false } = setUp
      const gateway = await startGateway(children, { upstreamPort, kind, dialect, stores, nodes, isSliced })
      contestants.push(contestant(name, gateway, gateway))
    }
  }
  return { upstreamPid: upstream.pid, contestants }
}
