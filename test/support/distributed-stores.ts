/** Starts the servers that the project `distributed` needs, once a run. */
import type { TestProject } from 'vitest/node'
import { openPostgresStorage } from '#storage/postgres/postgres-storage.ts'
import { MIGRATED, query, startPostgresServer } from './postgres-server.ts'
import { startRedisServer } from './redis-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()])
  await makeMigratedDatabase(postgres.url)
  project.provide('engines', 'distributed')
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis.url)
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()])
  }
}

/** Most tests begin with a copy of it: that takes a fraction of what the migrations do. */
async function makeMigratedDatabase(server: string): Promise<void> {
  const folder = await makeTemporaryFolder()
  await query(server, `create database ${MIGRATED}`)
  const url = server.replace(/\/postgres$/, `/${MIGRATED}`)
  const storage = await openPostgresStorage({ url, deferredFolder: folder.path, report: () => {} })
  await storage.close()
  await folder.remove()
}

declare module 'vitest' {
  interface ProvidedContext {
    /** What the service stands on in this project: files and memory, or the servers that many nodes share. */
    engines: 'embedded' | 'distributed'
  }
}
