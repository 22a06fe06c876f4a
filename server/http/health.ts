import { refusals } from '#contract/errors.ts'
import type { Storage } from '#storage/storage.ts'
import { type HttpApp, sendError } from './frame.ts'

const PING_TIMEOUT_MS = 1_000

export type HealthParts = {
  readonly storage: Pick<Storage, 'ping'>
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

/** `/health` always answers 200 and says how things are; `/health/ready` tells load balancers whether to send requests. */
export function registerHealthRoutes(app: HttpApp, { storage, isStarting, isDraining }: HealthParts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health',
    handler: async () => {
      const store = (await answersInTime(storage)) ? 'ok' : 'down'
      return { status: store === 'ok' ? 'ok' : 'degraded', store, draining: isDraining() }
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/health/ready',
    handler: async (_request, reply) => {
      const store = (await answersInTime(storage)) ? 'ok' : 'down'
      if (isStarting()) return sendError(reply, refusals.unavailable('This node is starting'))
      if (isDraining()) return sendError(reply, refusals.unavailable('This node is shutting down'))
      if (store === 'down') return sendError(reply, refusals.unavailable('The store does not answer'))
      return { status: 'ready', store }
    },
  })
}
