/** Throw-away Postgres servers. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { findFreePort, type ServerProcess, startGuardedServer } from './guarded-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { writeIdentity } from './tls-identity.ts'

const DEBIAN_VERSIONS = '/usr/lib/postgresql'

/** The folder of the newest version's programs; null where there is none. */
export function findPostgresPrograms(): string | null {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = newestFirst.map(version => join(DEBIAN_VERSIONS, version, 'bin'))
  const candidates = [...folders, ...(process.env.PATH ?? '').split(':')]
  return candidates.find(folder => existsSync(join(folder, 'initdb'))) ?? null
}

type User = { readonly uid: number; readonly gid: number }

/** Postgres refuses to run as root: then it runs as the user that its package has made. */
function findServerUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** What is committed has to survive the server's processes, not the machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  shared_buffers: '64MB',
} as const

export type PostgresServer = ServerProcess & {
  /** Of the database that is always there. */
  readonly url: string
}

const PASSWORD = 'p@ss word/1'

/**
 * A server of the caller's own on a free port, which it may stop, kill and restart. One that is secured proves who it is,
 * asks for a password, and takes no connection that could be listened to.
 */
export async function startPostgresServer({ isSecured = false } = {}): Promise<PostgresServer> {
  const programs = findPostgresPrograms()
  if (programs === null) throw new Error('Postgres is not installed')
  const { path: folder } = await makeTemporaryFolder()
  const user = findServerUser()
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await findFreePort()
  const secured = isSecured ? await secure(folder, user) : null
  const url = secured?.urlAt(port) ?? `postgres://goldweight@127.0.0.1:${port}/postgres`
  const settings = Object.entries({ ...SETTINGS, ...secured?.settings, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const server = await startGuardedServer({
    command: [join(programs, 'postgres'), '-D', data, ...settings],
    folder,
    prepare: [
      `'${join(programs, 'initdb')}' -D '${data}' -U goldweight --no-sync -E UTF8 --locale=C.UTF-8`,
      secured?.initOptions ?? '-A trust',
      secured ? `&& sed -i s/^host/hostssl/ '${data}/pg_hba.conf'` : '',
    ].join(' '),
    port,
    ...(user ? { user } : {}),
    answers: () => query(url, 'select 1').then(() => {}),
  })
  return { ...server, url }
}

async function secure(folder: string, user: User | undefined) {
  const { cert, key, authority } = await writeIdentity(folder)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  if (user) for (const file of [key, passwordFile]) await chown(file, user.uid, user.gid)
  const credentials = `goldweight:${encodeURIComponent(PASSWORD)}`
  const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`
  return {
    urlAt: (port: number) => `postgres://${credentials}@localhost:${port}/postgres?${query}`,
    settings: { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key },
    initOptions: `-A scram-sha-256 --pwfile='${passwordFile}'`,
  }
}

/** Runs one statement over a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export type TestDatabase = { readonly url: string; drop(): Promise<void> }

/** A database on the run's server that has the schema, and nothing else. */
export const MIGRATED = 'migrated'

/** A database of the caller's own: an empty one, or a copy of `template`; on the run's server unless told otherwise. */
export async function makePostgresDatabase({
  server = inject('postgresUrl'),
  template = 'template1',
} = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await query(server, `create database ${name} template ${template}`)
  return {
    url: server.replace(/\/postgres$/, `/${name}`),
    drop: async () => {
      await query(server, `drop database ${name} with (force)`)
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres server of this run; only in the project `distributed`. */
    postgresUrl: string
  }
}
