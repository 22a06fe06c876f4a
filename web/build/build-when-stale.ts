/**
 * Builds the web applications unless what they are made of is what was built last. `npm start` runs it before the
 * service, and the tests in a browser before themselves; when nothing changed it takes some 50 ms.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fingerprintSources } from './fingerprint.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FINGERPRINT = `${ROOT}web/dist/fingerprint.txt`

async function buildWhenStale(): Promise<void> {
  const [fingerprint, built] = await Promise.all([
    fingerprintSources(ROOT),
    readFile(FINGERPRINT, 'utf8').catch(() => null),
  ])
  if (fingerprint === built) return
  // Libraries build for what this says, and their development halves are four times as large.
  process.env.NODE_ENV = 'production'
  // Loaded only when there is something to do: most starts have nothing to build.
  const vite = await import('vite').catch(() => null)
  if (vite === null) {
    process.stderr.write('The web applications can not be built: the development dependencies are missing\n')
    return
  }
  process.stdout.write('Building the web applications …\n')
  await vite.build({ configFile: `${ROOT}web/vite.config.ts`, logLevel: 'warn' })
  await writeFile(FINGERPRINT, fingerprint)
}

await buildWhenStale()
