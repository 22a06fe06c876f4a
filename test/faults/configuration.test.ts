/** A wrong value stops the start with one clear line that names it; a secret is never shown. */
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeModel, signInAsAdmin } from '#test/support/admin-client.ts'
import { spawnGateway } from '#test/support/gateway.ts'
import { launch } from '#test/support/launch.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
const occupied = createServer()

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await writeFile(join(folder.path, 'a-file'), 'not a folder')
  await new Promise<void>(resolve => occupied.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise(resolve => occupied.close(resolve))
  await folder.remove()
})

function occupiedPort(): string {
  const address = occupied.address()
  return typeof address === 'object' && address ? String(address.port) : ''
}

/** The whole start with these values; the exit code and what was printed. */
async function start(env: Record<string, string>) {
  const started = launch({ env: { GOLDWEIGHT_DATA_DIR: join(folder.path, 'data'), ...env } })
  const code = await started.exited
  return { code, stderr: started.stderr(), stdout: started.stdout() }
}

function expectOneLine(printed: Awaited<ReturnType<typeof start>>): void {
  expect(printed.stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(printed).toMatchObject({ code: 1, stdout: '' })
}

test.concurrent.each([
  [
    { SMTP_URL: 'smtp://ada:hunter22@mail.example.org', GOLDWEIGHT_MAIL_FROM: 'gold@example.org' },
    'PUBLIC_URL is required to send mail',
  ],
  [
    { SMTP_URL: 'smtp://ada:hunter22@mail.example.org', GOLDWEIGHT_PUBLIC_URL: 'https://gold.example' },
    'MAIL_FROM is required to send mail',
  ],
  [
    { GOLDWEIGHT_OIDC_ISSUER: 'https://login.example.org', GOLDWEIGHT_OIDC_CLIENT_ID: 'hunter22' },
    'PUBLIC_URL is required to sign in through OpenID Connect',
  ],
  [
    { GOLDWEIGHT_OIDC_ISSUER: 'https://login.example.org', GOLDWEIGHT_PUBLIC_URL: 'https://gold.example' },
    'OIDC_CLIENT_ID is required to sign in through OpenID Connect',
  ],
])(
  'what is needed beside %o stops the start when it is missing',
  async (env: Record<string, string>, missing) => {
    const printed = await start(env)
    expectOneLine(printed)
    expect(printed.stderr).toContain(`GOLDWEIGHT_${missing}`)
    expect(printed.stderr).not.toContain('hunter22')
  },
)

describe('a wrong value stops the start and is named', () => {
  test.concurrent.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://ada:hunter22hunter22@db.example.org/goldweight'],
    ['REDIS_URL', 'gopher://:hunter22hunter22@cache.example.org'],
    ['GOLDWEIGHT_PUBLIC_URL', 'goldweight.example.org'],
    ['GOLDWEIGHT_SECRET', 'hunter22'],
    ['GOLDWEIGHT_TRUST_PROXY', '10.0.0.0/8, 300.1.1.1'],
    ['GOLDWEIGHT_ADMIN_EMAIL', 'root'],
    ['GOLDWEIGHT_ADMIN_PASSWORD', 'hunter22'],
    ['SMTP_URL', 'https://ada:hunter22hunter22@mail.example.org'],
    ['GOLDWEIGHT_MAIL_FROM', 'hunter22'],
    ['GOLDWEIGHT_OIDC_ISSUER', 'http://login.example.org'],
    ['GOLDWEIGHT_OIDC_ISSUER', 'login.example.org'],
    ['GOLDWEIGHT_DEMO', 'perhaps'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', async (name, value) => {
    const printed = await start({ [name]: value })
    expectOneLine(printed)
    expect(printed.stderr).toContain(name)
    expect(printed.stderr).not.toContain('hunter22')
  })
})

describe('what the machine refuses stops the start in one line that says what', () => {
  test('a port that is taken', async () => {
    const printed = await start({ PORT: occupiedPort(), GOLDWEIGHT_DEMO: 'off', LOG_LEVEL: 'silent' })
    expect(printed.stderr).toContain(occupiedPort())
    expectOneLine(printed)
  })

  test('an address that is not of this machine', async () => {
    const printed = await start({ HOST: '192.0.2.1', GOLDWEIGHT_DEMO: 'off' })
    expect(printed.stderr).toContain('192.0.2.1')
    expectOneLine(printed)
  })

  test('a data folder that is a file', async () => {
    const path = join(folder.path, 'a-file')
    const printed = await start({ GOLDWEIGHT_DATA_DIR: path })
    expect(printed.stderr).toContain(path)
    expectOneLine(printed)
  })

  test.skipIf(process.getuid?.() === 0)('a data folder that may not be written', async () => {
    const closed = await makeTemporaryFolder()
    await chmod(closed.path, 0o500)
    const printed = await start({ GOLDWEIGHT_DATA_DIR: join(closed.path, 'data') })
    expect(printed.stderr).toContain(closed.path)
    expectOneLine(printed)
    await closed.remove()
  })

  test('a database that is none', async () => {
    const other = await makeTemporaryFolder()
    await writeFile(join(other.path, 'goldweight.db'), 'This is no database. '.repeat(1_000))
    const printed = await start({ GOLDWEIGHT_DATA_DIR: other.path })
    expect(printed.stderr).toContain('database')
    expectOneLine(printed)
    await other.remove()
  })

  test('a secret file that is empty', async () => {
    const other = await makeTemporaryFolder()
    await writeFile(join(other.path, 'secret'), '')
    const printed = await start({ GOLDWEIGHT_DATA_DIR: other.path })
    expect(printed.stderr).toContain(join(other.path, 'secret'))
    expectOneLine(printed)
    await other.remove()
  })
})

test('an empty value is none', async () => {
  const other = await makeTemporaryFolder()
  const gateway = await spawnGateway(other.path, {
    DATABASE_URL: '',
    GOLDWEIGHT_SECRET: '',
    GOLDWEIGHT_TRUST_PROXY: '',
    LOG_LEVEL: '',
  })
  expect(await gateway.end('SIGTERM')).toBe(0)
  await other.remove()
})

test('with another secret than before, the start names the provider whose credential no longer opens', async () => {
  const other = await makeTemporaryFolder()
  const before = await spawnGateway(other.path, { GOLDWEIGHT_SECRET: 'the first secret of all' })
  const admin = await signInAsAdmin(before.url)
  await makeModel(admin, 'model', { routes: [{ baseUrl: 'http://127.0.0.1:9/v1' }] })
  expect(await before.end('SIGTERM')).toBe(0)

  const after = await spawnGateway(other.path, { GOLDWEIGHT_SECRET: 'quite another one' })
  expect(after.output()).toMatch(/credential.*can not be opened/)
  expect(after.output()).toContain('model upstream 0')
  expect(after.output()).not.toMatch(/the first secret|quite another/)
  expect((await fetch(`${after.url}/health`)).status).toBe(200)
  expect(await after.end('SIGTERM')).toBe(0)
  await other.remove()
})
