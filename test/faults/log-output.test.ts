/** What the log is written to may fail; what is served does not. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { expect, test } from 'vitest'

const SCRIPT = `
import { createLog } from '#telemetry/log.ts'
const log = createLog('info')
for (let line = 0; line < 5; line++) {
  log.info({ line }, 'x'.repeat(9_000))
  await new Promise(resolve => setTimeout(resolve, 80))
}
process.stderr.write('still serving')
log.flush(() => process.exit(0))
setTimeout(() => process.exit(0), 500)
`

test.runIf(process.platform === 'linux')(
  'a full disk below the log ends nothing and holds nothing up',
  async () => {
    const full = await open('/dev/full', 'w')
    const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
      stdio: ['ignore', full.fd, 'pipe'],
    })
    let errors = ''
    child.stderr?.on('data', piece => {
      errors += piece
    })
    const watchdog = setTimeout(() => child.kill('SIGKILL'), 10_000)
    const [code] = await once(child, 'close')
    clearTimeout(watchdog)
    await full.close()
    expect(errors).toBe('still serving')
    expect(code).toBe(0)
  },
  15_000,
)
