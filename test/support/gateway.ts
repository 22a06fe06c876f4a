/** The service under test, within the test's own process or as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { StripeAccess } from '#domains/orders/stripe/stripe-client.ts'
import { type Clock, systemClock } from '#lib/clock.ts'
import { parseRedisUrl } from '#redis/address.ts'
import { type App, createApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { type Log, silentLog } from '#telemetry/log.ts'
import { ADMIN, type AdminClient, signInAsAdmin } from './admin-client.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { storesOf } from './stores.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export type TestGateway = {
  readonly url: string
  readonly admin: AdminClient
  readonly app: App
  readonly dataDir: string
  /** The account's balance in micro-credits, as the store has it. */
  balanceOf(accountId: string): Promise<bigint>
  close(): Promise<void>
}

/** Starts the whole service in this process on a free port, with empty stores and a temporary folder. */
export async function startGateway({
  redisUrl,
  stripe = null,
  mail = null,
  oidc = null,
  publicUrl = null,
  port: wantedPort = 0,
  clock = systemClock,
  log = silentLog,
  maxSilenceMs,
}: Partial<Pick<Config, 'mail' | 'oidc' | 'publicUrl'>> & {
  /** Where to listen; any free port unless it has to be known before. */
  readonly port?: number
  /** A Redis of the test's own, instead of the one that comes with its project. */
  readonly redisUrl?: string
  readonly stripe?: StripeAccess | null
  readonly clock?: Clock
  readonly log?: Log
  readonly maxSilenceMs?: number
} = {}): Promise<TestGateway> {
  const folder = await makeTemporaryFolder()
  const stores = await storesOf(folder.path)
  const app = await createApp({
    config: {
      ...stores.config,
      ...(redisUrl === undefined ? {} : { redis: parseRedisUrl(redisUrl) }),
      dataDir: folder.path,
      publicUrl,
      trustProxy: false,
      stripe,
      mail,
      oidc,
    },
    secret: 'a secret for tests alone',
    clock,
    log,
    ...(maxSilenceMs === undefined ? {} : { maxSilenceMs }),
  })
  await app.domains.administrators.createFirst(ADMIN)
  await new Promise<void>(resolve => app.server.listen(wantedPort, '127.0.0.1', resolve))
  const { port } = app.server.address() as AddressInfo // a server that listens on a port has one
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    app,
    admin: await signInAsAdmin(url),
    dataDir: folder.path,
    balanceOf: async accountId => {
      const row = await app.storage.db
        .selectFrom('accounts')
        .select(['allocated_micros', 'used_micros'])
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      return row.allocated_micros - row.used_micros
    },
    close: async () => {
      await app.close(2_000)
      await folder.remove()
    },
  }
}

export type GatewayProcess = {
  readonly url: string
  readonly child: ChildProcess
  /** Everything the process has written so far. */
  output(): string
  /** Sends a signal and resolves with the exit code when the process is gone; null after a kill. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** Starts the service as a process of its own over a data folder, and waits until it listens. */
export async function spawnGateway(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  // Nodes of one service are told where their common store is.
  const stores = 'DATABASE_URL' in env ? { env: {} } : await storesOf(dataDir)
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      GOLDWEIGHT_DATA_DIR: dataDir,
      GOLDWEIGHT_ADMIN_EMAIL: ADMIN.email,
      GOLDWEIGHT_ADMIN_PASSWORD: ADMIN.password,
      GOLDWEIGHT_DEMO: 'off',
      ...COMPILE_CACHE,
      ...stores.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
  const listening = new Promise<number>((resolve, reject) => {
    const read = (piece: Buffer) => {
      output += piece.toString()
      const port = /"port":(\d+)/.exec(output)?.[1]
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exited.then(code => reject(new Error(`The service ended with ${code}:\n${output}`)))
  })
  const port = await listening
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    output: () => output,
    end: signal => {
      child.kill(signal)
      return exited
    },
  }
}
