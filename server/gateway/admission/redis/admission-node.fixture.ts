/** A node as admission knows it: an engine of its own over a Redis that it shares with others. */
import { createMemoryAdmission } from '#gateway/admission/memory-engine.ts'
import { type Clock, systemClock } from '#lib/clock.ts'
import { parseRedisUrl } from '#redis/address.ts'
import { createRedisBus } from '#redis/bus.ts'
import { openRedisLink, type RedisLink } from '#redis/link.ts'
import { silentLog } from '#telemetry/log.ts'
import { createRedisAdmission, type RedisAdmission } from './redis-engine.ts'

let nodes = 0

export type AdmissionNode = {
  readonly engine: RedisAdmission
  readonly link: RedisLink
  close(): Promise<void>
}

export type AdmissionNodeOptions = {
  readonly url: string
  readonly clock?: Pick<Clock, 'monotonicMs'>
  /** The server's clock as the test wants it; its own unless given. */
  readonly serverNow?: () => number
}

export async function openAdmissionNode({
  url,
  clock = systemClock,
  serverNow,
}: AdmissionNodeOptions): Promise<AdmissionNode> {
  const address = parseRedisUrl(url)
  if (!address) throw new Error(`No address: ${url}`)
  const nodeId = `node${++nodes}-`
  const link = await openRedisLink({ address, clock: systemClock, log: silentLog })
  if (!link.isUp()) throw new Error('Redis does not answer')
  const bus = createRedisBus({ link, database: address.database, nodeId })
  const alone = createMemoryAdmission({ clock })
  const engine = createRedisAdmission({ link, bus, alone, nodeId, clock, serverNow })
  return {
    engine,
    link,
    close: async () => {
      engine.close()
      link.close()
    },
  }
}
