/** Reads the configuration, builds the service, listens; drains when it is told to end. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConfiguration } from '#domains/configuration/apply.ts'
import { systemClock } from '#lib/clock.ts'
import { getServiceSecret } from '#storage/service-secret.ts'
import { createLog, type Log, loggableError } from '#telemetry/log.ts'
import { type App, createApp } from './app.ts'
import { applyConfigurationFile } from './apply-configuration.ts'
import { type Config, readConfig } from './config.ts'
import { setUpFirstStart } from './first-start.ts'
import { greeting } from './greeting.ts'

/**
 * So long a node that is to end still takes connections and refuses what comes over them, while its readiness says no: a
 * connection that a load balancer has opened just then gets an answer by which it knows that nothing was done.
 */
const NOTICE_MS = 2_000

function listen({ server }: App, { host, port }: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address)
    })
  })
}

/** Ends the process cleanly on the first signal, at once on the second. */
function drainOnSignals(app: App, { databaseUrl }: Config, log: Log): void {
  let isEnding = false
  const end = (signal: NodeJS.Signals) => {
    if (isEnding) process.exit(1)
    isEnding = true
    log.info({ signal }, 'shutting down: what is in flight may finish')
    app.refuseRequests()
    // Where there may be other nodes, there is a load balancer that has to notice.
    sleep(databaseUrl === null ? 0 : NOTICE_MS)
      .then(() => app.close())
      .then(() => {
        log.info('shut down')
        log.flush(() => process.exit(0))
      })
      .catch(error => {
        log.fatal({ error: loggableError(error) }, 'shutting down failed')
        log.flush(() => process.exit(1))
      })
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const secret = await getServiceSecret(config.secret, config.dataDir)
  let isStarting = true
  const app = await createApp({ config, secret, clock: systemClock, log, isStarting: () => isStarting })
  // Of nodes that start together each would make what the file names, and all but one find it taken.
  await app.storage.runAlone('configuration file', () =>
    applyConfigurationFile(createConfiguration({ ...app.domains, secret }), config, log),
  )
  // Listening comes first: passwords made by a start that then fails would never be shown to anyone.
  const { port } = await listen(app, config)
  // Of nodes that start together on an empty store one sets it up, and tells what it has made.
  const firstStart = await app.storage.runAlone('first start', () =>
    setUpFirstStart(app.domains, { config, log, nowMs: systemClock.now() }),
  )
  isStarting = false
  drainOnSignals(app, config, log)
  const base = config.publicUrl ?? `http://localhost:${port}`
  const welcome = greeting(base, firstStart)
  if (welcome !== null) process.stdout.write(`${welcome}\n`)
  log.info({ address: base, host: config.host, port }, 'listening')
}

start().catch((error: unknown) => {
  // One clear line, without a stack: whoever starts the service needs the reason, not the place.
  process.stderr.write(`goldweight: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
