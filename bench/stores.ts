import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child, Children } from './children.ts'
import { findFreePort } from './free-port.ts'

/** Postgres and Redis, with the settings that their packages come with. */
export type Stores = {
  /** What a node is started with to use them. */
  readonly environment: Readonly<Record<string, string>>
  readonly pids: readonly number[]
}

const START_TIMEOUT_MS = 15_000
const DEBIAN_VERSIONS = '/usr/lib/postgresql'

type Programs = { readonly initdb: string; readonly postgres: string; readonly redis: string }

/** null where one of them is not installed. */
export function findStorePrograms(): Programs | null {
  const onPath = (process.env.PATH ?? '').split(path.delimiter)
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = [...newestFirst.map(version => path.join(DEBIAN_VERSIONS, version, 'bin')), ...onPath]
  const find = (...names: string[]) =>
    names.flatMap(name => folders.map(folder => path.join(folder, name))).find(existsSync)
  const [initdb, postgres, redis] = [find('initdb'), find('postgres'), find('redis-server', 'valkey-server')]
  return initdb && postgres && redis ? { initdb, postgres, redis } : null
}

/** Starts both on free ports, with empty folders. */
export async function startStores(children: Children): Promise<Stores> {
  const programs = findStorePrograms()
  if (!programs) throw new Error('Postgres and Redis are not installed')
  const [postgres, redis] = [await startPostgres(children, programs), await startRedis(children, programs)]
  return {
    environment: {
      DATABASE_URL: `postgres://bench@127.0.0.1:${postgres.port}/postgres`,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      GOLDWEIGHT_SECRET: 'a secret for the bench alone',
    },
    pids: [postgres.child.pid, redis.child.pid],
  }
}

type Started = { readonly child: Child; readonly port: number }

async function startPostgres(children: Children, { initdb, postgres }: Programs): Promise<Started> {
  const folder = children.temporaryFolder()
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const init = ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  execFileSync(initdb, init, { ...user, cwd: folder, stdio: 'ignore' })
  const port = await findFreePort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = children.start({
    name: 'Postgres',
    role: 'store',
    program: [postgres, '-D', data, ...options],
    ...(user ? { user } : {}),
    speaks: false,
  })
  await Promise.race([listens(port), child.ended])
  return { child, port }
}

/** Postgres refuses to run as root: then it runs as the user that its package has made. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function startRedis(children: Children, { redis }: Programs): Promise<Started> {
  const port = await findFreePort()
  const options = { port, bind: '127.0.0.1', save: '', dir: children.temporaryFolder() }
  const program = [redis, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])]
  const child = children.start({ name: 'Redis', role: 'store', program, speaks: false })
  await Promise.race([listens(port), child.ended])
  return { child, port }
}

async function listens(port: number): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const socket = net.connect({ host: '127.0.0.1', port }, () => resolve(true))
    socket.once('error', () => resolve(false))
    const isListening = await promise
    socket.destroy()
    if (isListening) return
    await sleep(50)
  }
  throw new Error(`nothing listens on port ${port}`)
}
