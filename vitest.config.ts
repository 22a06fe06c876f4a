import { defineConfig } from 'vitest/config'
import { findRedisProgram } from './test/support/redis-server.ts'

/** Tests of what only exists with a server beside the service; everything else runs without one. */
const NEEDS_SERVERS = [
  'server/**/*redis*.test.ts',
  'server/**/redis/**/*.test.ts',
  'server/**/postgres/**/*.test.ts',
  'test/distributed/**/*.test.ts',
]

/** Missing servers may not go unnoticed where everything has to be shown. */
function canStartServers(): boolean {
  if (findRedisProgram() !== null) return true
  const message = 'redis-server is not installed (Debian: apt-get install redis-server)'
  if (process.env.CI) throw new Error(message)
  process.stderr.write(`Skipped what needs servers of its own: ${message}\n`)
  return false
}

const common = { pool: 'forks' as const, testTimeout: 20_000, hookTimeout: 30_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'embedded',
          include: ['test/**/*.test.ts', 'server/**/*.test.ts', 'contract/**/*.test.ts'],
          exclude: NEEDS_SERVERS,
        },
      },
      ...(canStartServers()
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
    ],
  },
})
