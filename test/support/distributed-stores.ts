/** Starts the servers that the project `distributed` needs, once a run. */
import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './postgres-server.ts'
import { startRedisServer } from './redis-server.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()])
  project.provide('engines', 'distributed')
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis.url)
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()])
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** What the service stands on in this project: files and memory, or the servers that many nodes share. */
    engines: 'embedded' | 'distributed'
  }
}
