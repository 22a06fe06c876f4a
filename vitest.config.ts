import { defineConfig } from 'vitest/config'
import { findChromium } from './test/support/find-chromium.ts'
import { findRedisProgram } from './test/support/redis-server.ts'

/** Tests of what only exists with a server beside the service; everything else runs without one. */
const NEEDS_SERVERS = [
  'server/**/*redis*.test.ts',
  'server/**/redis/**/*.test.ts',
  'server/**/postgres/**/*.test.ts',
  'test/distributed/**/*.test.ts',
]

/** Tests in a real browser. */
const NEEDS_BROWSER = ['test/web/**/*.test.ts']

/** Missing programs may not go unnoticed where everything has to be shown. */
function isThere(program: string | null, message: string): boolean {
  if (program !== null) return true
  if (process.env.CI) throw new Error(message)
  process.stderr.write(`Skipped some tests: ${message}\n`)
  return false
}

const canStartServers = isThere(
  findRedisProgram(),
  'redis-server is not installed (Debian: apt-get install redis-server)',
)
const canBrowse = isThere(findChromium(), 'Chromium is not installed (Debian: apt-get install chromium)')

const common = { pool: 'forks' as const, testTimeout: 20_000, hookTimeout: 30_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'embedded',
          include: ['test', 'server', 'contract', 'web'].map(folder => `${folder}/**/*.test.ts`),
          exclude: [...NEEDS_SERVERS, ...NEEDS_BROWSER],
        },
      },
      ...(canStartServers
        ? [
            {
              test: {
                ...common,
                name: 'distributed',
                include: NEEDS_SERVERS,
                globalSetup: ['test/support/distributed-stores.ts'],
              },
            },
          ]
        : []),
      ...(canBrowse
        ? [
            {
              test: {
                ...common,
                name: 'web',
                include: NEEDS_BROWSER,
                globalSetup: ['test/support/chromium.ts'],
                testTimeout: 60_000,
              },
            },
          ]
        : []),
    ],
  },
})
