import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from './source-files.ts'

test('the web applications pass the type checker, with a configuration of their own', async () => {
  const found = await promisify(execFile)(`${ROOT}node_modules/.bin/tsc`, ['--noEmit', '-p', 'web'], {
    cwd: ROOT,
  }).catch((error: { stdout: string }) => error)
  expect(found.stdout).toBe('')
})
