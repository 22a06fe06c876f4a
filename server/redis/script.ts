import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisClient } from './client.ts'

/** A Lua script that Redis runs in one step. */
export type RedisScript = {
  run(client: RedisClient, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
}

/**
 * Reads a script, for which the constants are local variables. A connection sends it whole the first time and by its
 * hash from then on, so that it is never refused as unknown and then overtaken by what was sent after it; only a
 * server whose scripts were flushed, or another one of a cluster, has to be sent it again.
 */
export function readRedisScript(file: URL, constants: Readonly<Record<string, number>> = {}): RedisScript {
  const head = Object.entries(constants).map(([name, value]) => `local ${name} = ${value}\n`)
  const text = head.join('') + readFileSync(file, 'utf8')
  const sha = hash('sha1', text, 'hex')
  const knownBy = new WeakSet<RedisClient>()
  return {
    run: (client, keys, args) => {
      const whole = () => client.eval(text, keys.length, ...keys, ...args)
      if (!knownBy.has(client)) {
        knownBy.add(client)
        return whole()
      }
      return client.evalsha(sha, keys.length, ...keys, ...args).catch(error => {
        if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return whole()
        throw error
      })
    },
  }
}
