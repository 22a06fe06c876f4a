import { type Change, type Changes, createLocalChanges } from '#lib/changes.ts'
import type { Bus } from './bus.ts'

const TOPIC = 'change'

/** Changes within this node, as ever, and over the bus to and from all others. */
export function createRedisChanges(bus: Bus): Changes {
  const local = createLocalChanges()
  bus.subscribe(TOPIC, message => local.publish(toChange(message)))
  bus.onGap(() => local.publish({ kind: 'resync' }))
  return {
    publish: change => {
      local.publish(change)
      bus.publish(TOPIC, change)
    },
    subscribe: local.subscribe,
  }
}

/** A change as another node told it. What can't be understood may concern anything. */
function toChange(message: unknown): Change {
  if (typeof message === 'object' && message !== null && 'kind' in message) {
    const { kind } = message
    if (kind === 'catalog' || kind === 'settings') return { kind }
    if (
      (kind === 'key' || kind === 'key-spending') &&
      'keyId' in message &&
      typeof message.keyId === 'string'
    ) {
      return { kind, keyId: message.keyId }
    }
    if (kind === 'user' && 'userId' in message && typeof message.userId === 'string') {
      return { kind, userId: message.userId }
    }
    if (kind === 'account' && 'accountId' in message && typeof message.accountId === 'string') {
      return { kind, accountId: message.accountId }
    }
  }
  return { kind: 'resync' }
}
