import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisClient } from './client.ts'

/** A Lua script that Redis runs in one step. */
export type RedisScript = {
  run(client: RedisClient, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
}

/** Reads a script. It is sent by its hash, and whole to a server that does not know it (any more). */
export function readRedisScript(file: URL): RedisScript {
  const text = readFileSync(file, 'utf8')
  const sha = hash('sha1', text, 'hex')
  return {
    run: (client, keys, args) =>
      client.evalsha(sha, keys.length, ...keys, ...args).catch(error => {
        const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT')
        if (isUnknown) return client.eval(text, keys.length, ...keys, ...args)
        throw error
      }),
  }
}
