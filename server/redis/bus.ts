import type { Redis } from 'ioredis'
import type { RedisClient } from './client.ts'
import type { RedisLink } from './link.ts'

/** Messages between the nodes of one service. A node never hears its own. */
export type Bus = {
  /** Sends to all other nodes that listen now; a message that can't be sent becomes a gap. */
  publish(topic: string, message: unknown): void
  subscribe(topic: string, listener: (message: unknown) => void): void
  /** Calls the listener when messages may have been missed: nobody knows which. */
  onGap(listener: () => void): void
}

export type BusParts = {
  readonly link: RedisLink
  /** The number of the Redis database: messages are not kept apart by it, so the channel's name does it. */
  readonly database: number
  /** Names this node among all that use the same Redis. */
  readonly nodeId: string
}

type Envelope = { readonly from: string; readonly topic: string; readonly message: unknown }

/** The topic by which a node says that it could not send what others should have heard. */
const GAP = 'gap'

export function createRedisBus({ link, database, nodeId }: BusParts): Bus {
  const channel = `goldweight:${database}`
  const listeners = new Map<string, ((message: unknown) => void)[]>()
  const gapListeners: (() => void)[] = []
  let owesGap = false

  function tellGap(): void {
    for (const listener of gapListeners) listener()
  }

  function hear(text: string): void {
    const { from, topic, message } = parseEnvelope(text)
    if (from === nodeId) return
    if (topic === GAP) tellGap()
    for (const listener of listeners.get(topic) ?? []) listener(message)
  }

  function publish(topic: string, message: unknown): void {
    const envelope: Envelope = { from: nodeId, topic, message }
    link
      .ask(client => client.publish(channel, JSON.stringify(envelope)))
      .catch(() => {
        owesGap = true
      })
  }

  function listen(client: RedisClient): void {
    // Both kinds of client tell of messages in the same way; their types are too many for one call.
    const source = client as Redis
    source.on('message', (_channel, text) => hear(text))
    link
      .ask(() => source.subscribe(channel))
      .then(tellGap)
      .catch(() => {})
    if (owesGap) {
      owesGap = false
      publish(GAP, null)
    }
  }

  link.onUp(listen)
  return {
    publish,
    subscribe: (topic, listener) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener])
    },
    onGap: listener => {
      gapListeners.push(listener)
    },
  }
}

/** What can't be read comes from a node of another version, or from nobody of ours: it may have been important. */
function parseEnvelope(text: string): Envelope {
  try {
    const value: unknown = JSON.parse(text)
    if (
      typeof value === 'object' &&
      value !== null &&
      'from' in value &&
      typeof value.from === 'string' &&
      'topic' in value &&
      typeof value.topic === 'string'
    ) {
      return { from: value.from, topic: value.topic, message: 'message' in value ? value.message : null }
    }
  } catch {
    // Not JSON at all.
  }
  return { from: '', topic: GAP, message: null }
}
