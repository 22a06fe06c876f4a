import { statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { COMPILE_CACHE } from './test/support/compile-cache.ts'
import { findChromium } from './test/support/find-chromium.ts'
import { findPostgresPrograms } from './test/support/postgres-server.ts'
import { findRedisProgram } from './test/support/redis-server.ts'

/** Tests of what only exists with a server beside the service. */
const NEEDS_SERVERS = [
  'server/**/*redis*.test.ts',
  'server/**/redis/**/*.test.ts',
  'server/**/postgres/**/*.test.ts',
  'test/distributed/**/*.test.ts',
]

/** Promises of the service that hold whatever it stands on: shown over the embedded stores and over the servers. */
const HOLDS_ON_ALL_ENGINES = [
  'test/{gateway,people,sales,properties,storage}/**/*.test.ts',
  // The others here are about the process and its memory, whatever it stands on.
  'test/faults/{client-leaves,drain,endings,kill}.test.ts',
]

/** Tests in a real browser. */
const NEEDS_BROWSER = ['test/web/**/*.test.ts']

/** Missing programs may not go unnoticed where everything has to be shown. */
function isThere(program: string | null, packageName: string): boolean {
  if (program !== null) return true
  const message = `${packageName} is not installed (Debian: apt-get install ${packageName})`
  if (process.env.CI) throw new Error(message)
  process.stderr.write(`Skipped some tests: ${message}\n`)
  return false
}

const canStartServers =
  isThere(findPostgresPrograms(), 'postgresql') && isThere(findRedisProgram(), 'redis-server')
const canBrowse = isThere(findChromium(), 'chromium')

// What tests keep is thrown away: memory takes it as a disk would, and no test waits for a slow one.
if (hasRoom('/dev/shm')) process.env.TMPDIR = '/dev/shm'
Object.assign(process.env, COMPILE_CACHE)

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 4 * 1024 ** 3
  } catch {
    return false // There is no such folder where there is no Linux.
  }
}

// Most tests wait for sockets, disks and clocks more than they compute: a third worker uses what two cores leave.
const common = { pool: 'forks' as const, testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 3 }

const embedded = {
  test: {
    ...common,
    name: 'embedded',
    include: ['test', 'server', 'contract', 'web'].map(folder => `${folder}/**/*.test.ts`),
    exclude: [...NEEDS_SERVERS, ...NEEDS_BROWSER],
    provide: { engines: 'embedded' as const },
  },
}

const distributed = {
  test: {
    ...common,
    name: 'distributed',
    include: [...NEEDS_SERVERS, ...HOLDS_ON_ALL_ENGINES],
    globalSetup: ['test/support/distributed-stores.ts'],
  },
}

const web = {
  test: {
    ...common,
    name: 'web',
    include: NEEDS_BROWSER,
    globalSetup: ['test/support/chromium.ts'],
    testTimeout: 120_000,
    // A browser computes: two at a time, and after all others, whose services would else wait for it.
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
    provide: { engines: 'embedded' as const },
  },
}

export default defineConfig({
  test: { projects: [embedded, ...(canStartServers ? [distributed] : []), ...(canBrowse ? [web] : [])] },
})
