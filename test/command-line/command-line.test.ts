import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeCaller, signInAsAdmin } from '#test/support/admin-client.ts'
import { COMPILE_CACHE } from '#test/support/compile-cache.ts'
import { eventually } from '#test/support/eventually.ts'
import { type GatewayProcess, spawnGateway } from '#test/support/gateway.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

const CLI = fileURLToPath(new URL('../../server/cli/goldweight.ts', import.meta.url))

// Each command is a process of its own that loads the service's sources.
vi.setConfig({ testTimeout: 60_000 })

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let service: GatewayProcess
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  service = await spawnGateway(folder.path)
})
afterAll(async () => {
  await service.end('SIGTERM')
  await folder.remove()
})

async function command(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH ?? '', GOLDWEIGHT_DATA_DIR: folder.path, ...COMPILE_CACHE },
  })
  return stdout
}

function signIn(email: string, password: string): Promise<Response> {
  return fetch(`${service.url}/admin/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

test('an administrator is made, and given a new password when the old one is lost', async () => {
  const made = await command('administrator', 'create', '--email', 'ops@example.org', '--role', 'operator')
  const first = /password: (\S+)/.exec(made)?.[1] ?? ''
  expect((await signIn('ops@example.org', first)).status).toBe(200)
  const reset = await command('administrator', 'reset', '--email', 'Ops@example.org')
  const second = /password: (\S+)/.exec(reset)?.[1] ?? ''
  expect((await signIn('ops@example.org', first)).status).toBe(401)
  expect((await signIn('ops@example.org', second)).status).toBe(200)
})

test('credits that are granted beside the running service are there for its next requests within seconds', async () => {
  const admin = await signInAsAdmin(service.url)
  const { accountId, token } = await makeCaller(admin, { credits: 0 })
  const ask = () =>
    fetch(`${service.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'none', messages: [] }),
    })
  expect((await ask()).status).toBe(429)
  expect(
    await command('credits', 'grant', '--account', accountId, '--amount', '5', '--note', 'welcome'),
  ).toBe('Granted 5 credits; the balance is 5\n')
  await eventually(async () => expect((await ask()).status).not.toBe(429), 8_000)
})

test('a key is made for a user, and its token printed', async () => {
  const admin = await signInAsAdmin(service.url)
  const { userId } = await makeCaller(admin)
  const { data } = await admin.call<{ data: { id: string; email: string }[] }>('GET', '/admin/users')
  const email = data.find(user => user.id === userId)?.email ?? ''
  const token = /: (gw_\w+)/.exec(
    await command('key', 'create', '--user', email, '--name', 'From the shell'),
  )?.[1]
  const quota = await fetch(`${service.url}/v1/quota`, { headers: { authorization: `Bearer ${token}` } })
  expect(quota.status).toBe(200)
})

test('a backup is made while the service runs, and its books add up', async () => {
  const copy = join(folder.path, 'copy')
  const target = join(copy, 'goldweight.db')
  await mkdir(copy)
  await command('backup', target)
  await expect(command('backup', target)).rejects.toThrow(/exists already/)
  const verify = fileURLToPath(new URL('../../server/cli/verify-ledger.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [verify], {
    env: { PATH: process.env.PATH ?? '', GOLDWEIGHT_DATA_DIR: copy, ...COMPILE_CACHE },
  })
  expect(stdout).toContain('The ledger adds up')
})

test('a backup is restored while nobody has the database open, and the one before it is kept', async () => {
  const backup = join(folder.path, 'copy', 'goldweight.db')
  await expect(command('restore', backup)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is a service running on it?'),
  })
  const elsewhere = await makeTemporaryFolder()
  const environment = { PATH: process.env.PATH ?? '', GOLDWEIGHT_DATA_DIR: elsewhere.path, ...COMPILE_CACHE }
  const restoreElsewhere = (file: string) =>
    promisify(execFile)(process.execPath, [CLI, 'restore', file], { env: environment })
  await leaveLog(join(elsewhere.path, 'goldweight.db'))
  expect((await restoreElsewhere(backup)).stdout).toBe(`Restored ${backup}\n`)
  expect((await readdir(elsewhere.path)).filter(name => name.endsWith('-wal'))).toEqual([])
  const { stdout } = await restoreElsewhere(backup)
  expect(stdout).toContain('goldweight.db.before-restore-')
  const files = await readdir(elsewhere.path)
  expect(files.filter(name => name.includes('restoring'))).toEqual([])
  expect(files.filter(name => name.includes('before-restore'))).toHaveLength(1)
  await writeFile(join(elsewhere.path, 'no-backup.db'), 'this is no database at all'.repeat(100))
  await expect(restoreElsewhere(join(elsewhere.path, 'no-backup.db'))).rejects.toMatchObject({ code: 1 })
  expect((await readdir(elsewhere.path)).filter(name => name.includes('before-restore'))).toHaveLength(1)
  await elsewhere.remove()
})

/** What a database leaves beside it that was not closed, where it was itself taken away. */
async function leaveLog(path: string): Promise<void> {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; create table left_over (id text)')
  await copyFile(`${path}-wal`, `${path}-kept`)
  database.close()
  await rm(path)
  await rename(`${path}-kept`, `${path}-wal`)
}

test('what is not understood exits with 2 and the help, what is refused with 1 and one line', async () => {
  await expect(command('credits', 'steal')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Usage:'),
  })
  await expect(command('key', 'create', '--user', 'nobody@example.org', '--name', 'x')).rejects.toMatchObject(
    {
      code: 1,
      stderr: 'goldweight: There is no user nobody@example.org\n',
    },
  )
})
