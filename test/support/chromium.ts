/** Vitest's global setup for tests in a browser: a build that is up to date, and one Chromium for all of them. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import type { TestProject } from 'vitest/node'
import { findChromium } from './find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files connect to the browser. */
    chromiumEndpoint: string
  }
}

const BUILD = fileURLToPath(new URL('../../web/build/build-when-stale.ts', import.meta.url))

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A process of its own: the build asks for another environment than tests run in.
  const build = spawnSync(process.execPath, [BUILD], { stdio: 'inherit' })
  if (build.status !== 0) throw new Error('The web applications could not be built')
  const executablePath = findChromium()
  if (executablePath === null) throw new Error('Chromium is gone')
  // Tests often run as root, for whom Chromium's own sandbox can't start.
  const server = await chromium.launchServer({ executablePath, args: ['--no-sandbox'] })
  project.provide('chromiumEndpoint', server.wsEndpoint())
  return () => server.close()
}
