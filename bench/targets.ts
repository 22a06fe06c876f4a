import path from 'node:path'
import type { Child, Children } from './children.ts'
import type { Target } from './driver/jobs.ts'
import { rssMegabytes } from './driver/meter.ts'
import { type Gateway, START_FLAGS, startGateway, type UpstreamKind } from './gateway.ts'

/**
 * What is measured: the upstream itself, a proxy that only forwards, the gateway, and the gateway before upstreams of
 * other protocols; always in this order.
 */
export const TARGET_NAMES = ['direct', 'bare', 'gateway', 'anthropic', 'gemini'] as const
export type TargetName = (typeof TARGET_NAMES)[number]

const UPSTREAM_KINDS: Readonly<Partial<Record<TargetName, UpstreamKind>>> = {
  gateway: 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

export type Contestant = {
  readonly name: TargetName
  readonly target: Target
  readonly child: Child
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

async function portOf(child: Child): Promise<number> {
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
  { child, target }: Pick<Gateway, 'child' | 'target'>,
  gateway: Gateway | null = null,
): Contestant {
  return { name, child, target, gateway, idleRssMegabytes: rssMegabytes(child.pid) }
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
      const target = { port: upstreamPort, pid: upstream.pid, token: IDLE_TOKEN }
      contestants.push(contestant(name, { child: upstream, target }))
    } else if (name === 'bare') {
      const bare = children.start({
        name: 'bare proxy',
        role: 'target',
        nodeArguments: [...START_FLAGS, fileOf('bare-proxy.ts'), String(upstreamPort)],
        speaks: true,
      })
      const target = { port: await portOf(bare), pid: bare.pid, token: IDLE_TOKEN }
      contestants.push(contestant(name, { child: bare, target }))
    } else {
      const kind = UPSTREAM_KINDS[name] ?? 'openai'
      const gateway = await startGateway(children, { upstreamPort, kind })
      contestants.push(contestant(name, gateway, gateway))
    }
  }
  return { upstreamPid: upstream.pid, contestants }
}
