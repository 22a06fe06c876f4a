import { refusals } from '#contract/errors.ts'
import type { Storage } from '#storage/storage.ts'
import { type HttpApp, sendError } from './frame.ts'

const PING_TIMEOUT_MS = 1_000

type StoreState = 'ok' | 'down'

export type HealthParts = {
  readonly storage: Pick<Storage, 'ping'>
  /** null where the service does without Redis. */
  readonly redisState: () => StoreState | null
  readonly isStarting: () => boolean
  readonly isDraining: () => boolean
}

async function answersInTime(storage: Pick<Storage, 'ping'>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), PING_TIMEOUT_MS)
  try {
    return await Promise.race([storage.ping().then(() => true), late.promise])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** The stores by name. Without Redis a node can serve, so it says nothing about readiness. */
export async function storesOf({ storage, redisState }: Pick<HealthParts, 'storage' | 'redisState'>) {
  const database: StoreState = (await answersInTime(storage)) ? 'ok' : 'down'
  const redis = redisState()
  return { database, ...(redis === null ? {} : { redis }) }
}

/** `/health` always answers 200 and says how things are; `/health/ready` tells load balancers whether to send requests. */
export function registerHealthRoutes(app: HttpApp, parts: HealthParts): void {
  const { isStarting, isDraining } = parts
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    handler: async () => {
      const stores = await storesOf(parts)
      const status = Object.values(stores).includes('down') ? 'degraded' : 'ok'
      return { status, stores, draining: isDraining() }
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health/ready',
    handler: async (_request, reply) => {
      const stores = await storesOf(parts)
      if (isStarting()) return sendError(reply, refusals.unavailable('This node is starting'))
      if (isDraining()) return sendError(reply, refusals.unavailable('This node is shutting down'))
      if (stores.database === 'down')
        return sendError(reply, refusals.unavailable('The store does not answer'))
      return { status: 'ready', stores }
    },
  })
}
