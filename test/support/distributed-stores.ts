/** Starts the servers that the project `distributed` needs, once a run. */
import type { TestProject } from 'vitest/node'
import { startRedisServer } from './redis-server.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedisServer()
  project.provide('redisUrl', redis.url)
  return redis.stop
}
