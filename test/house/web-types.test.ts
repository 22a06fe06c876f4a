import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from './source-files.ts'

/** A check of all types is a matter of seconds, but of many where everything else runs at the same time. */
const SLOW_MACHINE_MS = 120_000

// Addresses are checked against the router of the application, of which a program of the type checker knows one.
test.each(['web', 'web/admin'])(
  'the web applications pass the type checker, with a configuration of their own: %s',
  async project => {
    const found = await promisify(execFile)(`${ROOT}node_modules/.bin/tsc`, ['--noEmit', '-p', project], {
      cwd: ROOT,
    }).catch((error: { stdout: string }) => error)
    expect(found.stdout).toBe('')
  },
  SLOW_MACHINE_MS,
)
