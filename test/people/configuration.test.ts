import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createConfiguration } from '#domains/configuration/apply.ts'
import { readConfigurationFile } from '#domains/configuration/configuration-file.ts'
import { readCurrentItems } from '#domains/configuration/current-items.ts'
import { exportConfiguration } from '#domains/configuration/export.ts'
import { signInAsAdmin } from '#test/support/admin-client.ts'
import { spawnGateway, startGateway, type TestGateway } from '#test/support/gateway.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

const FILE = `
settings:
  sign_up: closed
  default_limits: { requests: 100 }
providers:
  - name: Main
    kind: openai
    base_url: http://127.0.0.1:9/v1
    credential: \${MAIN_KEY}
    further_credentials: [{ name: spare, credential: "\${SPARE_KEY}" }]
models:
  - id: acme/large
    weights: { input: 2, cache_read: 1, cache_write: 2, output: 8 }
    routes: [{ provider: Main, upstream_model: large, cost: 2.5 }]
    routing: { order: least_cost }
packages:
  - name: Small
    credits: 100
    price: { amount: 500, currency: eur }
`
const VARIABLES: Readonly<Record<string, string>> = {
  MAIN_KEY: 'sk-main-secret',
  OTHER_KEY: 'sk-other-secret',
  SPARE_KEY: 'sk-spare-secret',
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const configuration = () =>
  createConfiguration({ ...gateway.app.domains, secret: 'a secret for tests alone' })

function read(text: string) {
  const file = readConfigurationFile(text, name => VARIABLES[name])
  if (!file.ok) throw new Error(file.refusal)
  return file.value
}

async function apply(text: string) {
  const applied = await configuration().apply(read(text))
  if (!applied.ok) throw new Error(applied.refusal)
  return applied.value.map(({ action, kind, name }) => `${action} ${kind} ${name}`)
}

test('a file sets up everything it names, in an order that works, and applied again changes nothing', async () => {
  expect(await apply(FILE)).toEqual([
    'update setting sign_up',
    'update setting default_limits',
    'create provider Main',
    'create model acme/large',
    'create package Small',
  ])
  expect(await apply(FILE)).toEqual([])
  expect(await gateway.admin.call('GET', '/admin/settings')).toMatchObject({
    sign_up: 'closed',
    default_limits: { requests: 100, window_seconds: 60 },
  })
  const { models } = gateway.app.domains.catalog.current()
  expect(models.get('acme/large')?.routes).toMatchObject([
    { upstreamModel: 'large', cost: 2.5, provider: { name: 'Main', credential: 'sk-main-secret' } },
    { upstreamModel: 'large', cost: 2.5, provider: { name: 'Main', credential: 'sk-spare-secret' } },
  ])
  expect(models.get('acme/large')?.routing.order).toBe('least_cost')
})

test('the difference is shown before it is made, and never a secret', async () => {
  const changed = FILE.replace('output: 8', 'output: 9').replace('MAIN_KEY', 'OTHER_KEY')
  const steps = await configuration().plan(read(changed))
  expect(steps.map(({ action, kind, name }) => [action, kind, name])).toEqual([
    ['update', 'provider', 'Main'],
    ['update', 'model', 'acme/large'],
  ])
  expect(steps[1]?.changes).toEqual([
    {
      field: 'weights',
      from: { input: 2, cache_read: 1, cache_write: 2, output: 8 },
      to: { input: 2, cache_read: 1, cache_write: 2, output: 9 },
    },
  ])
  expect(JSON.stringify(steps)).not.toContain('sk-')
})

test('what the file manages can not be changed by administrators, and says so', async () => {
  const { admin } = gateway
  const { data } = await admin.call<{ data: { kind: string; name: string; item_id: string }[] }>(
    'GET',
    '/admin/managed-items',
  )
  expect(data.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'model acme/large',
    'package Small',
    'provider Main',
    'setting default_limits',
    'setting sign_up',
  ])
  const idOf = (kind: string) => data.find(item => item.kind === kind)?.item_id
  const tries = [
    () => admin.call('PATCH', `/admin/providers/${idOf('provider')}`, { name: 'Mine' }),
    () => admin.call('DELETE', `/admin/providers/${idOf('provider')}`),
    () => admin.call('POST', '/admin/providers/test', { kind: 'openai', provider_id: idOf('provider') }),
    () => admin.call('PATCH', '/admin/models/acme/large', { enabled: false }),
    () => admin.call('DELETE', '/admin/models/acme%2Flarge'),
    () => admin.call('PATCH', `/admin/packages/${idOf('package')}`, { credits: 1 }),
    () => admin.call('PATCH', '/admin/settings', { sign_up: 'open' }),
  ]
  for (const attempt of tries) await expect(attempt()).rejects.toThrow(/409.*configuration file/)
  await admin.call('PATCH', '/admin/settings', { receipt_seller: 'Gold' })
})

test('what the file no longer names is removed, and sections that it does not have are left alone', async () => {
  await gateway.admin.call('POST', '/admin/packages', {
    name: 'By hand',
    credits: 1,
    price: { amount: 1, currency: 'EUR' },
  })
  const smaller = FILE.slice(0, FILE.indexOf('models:')).concat('models: []\n')
  expect(await apply(smaller)).toEqual(['delete model acme/large'])
  const { data } = await gateway.admin.call<{ data: { name: string }[] }>('GET', '/admin/packages')
  expect(data.map(({ name }) => name)).toEqual(['By hand', 'Small'])
  await expect(gateway.admin.call('GET', '/admin/models/acme/large')).rejects.toThrow(/404/)
})

const packageNamed = (name: string) =>
  `packages: [{ name: ${name}, credits: 3, price: { amount: 9, currency: EUR } }]`

test('a package that the file names is on sale, though it was taken off before', async () => {
  const { admin } = gateway
  const price = { amount: 9, currency: 'EUR' }
  const old = { name: 'Back', credits: 3, price, on_sale: false }
  const { id } = await admin.call<{ id: string }>('POST', '/admin/packages', old)
  const [step] = await configuration().plan(read(packageNamed('Back')))
  expect(step).toMatchObject({
    action: 'update',
    itemId: id,
    changes: [{ field: 'on_sale', from: false, to: true }],
  })
})

test('of packages that share a name the export names the one on sale, and the file means it', async () => {
  const { admin } = gateway
  const price = { amount: 9, currency: 'EUR' }
  await admin.call('POST', '/admin/packages', { name: 'Twice', credits: 1, price, on_sale: false })
  const sold = await admin.call<{ id: string }>('POST', '/admin/packages', {
    name: 'Twice',
    credits: 2,
    price,
  })
  const text = exportConfiguration(await readCurrentItems(gateway.app.domains))
  const { packages } = parse(text) as { packages: { name: string }[] }
  expect(packages.filter(({ name }) => name === 'Twice')).toMatchObject([{ credits: 2, on_sale: true }])
  expect(readConfigurationFile(text, () => 'sk-again')).toMatchObject({ ok: true })
  const steps = await configuration().plan(read(packageNamed('Twice')))
  expect(steps.find(({ name }) => name === 'Twice')).toMatchObject({ action: 'update', itemId: sold.id })
})

test('a running service can be exported, without its secrets, and applied again', async () => {
  await apply(FILE)
  const text = exportConfiguration(await readCurrentItems(gateway.app.domains))
  expect(text).not.toContain('sk-')
  expect(parse(text).providers[0]).toMatchObject({
    credential: '$'.concat('{MAIN_CREDENTIAL}'),
    further_credentials: [{ name: 'spare', credential: '$'.concat('{MAIN_SPARE_CREDENTIAL}') }],
  })
  const file = readConfigurationFile(text, () => 'sk-again')
  expect(file).toMatchObject({ ok: true, value: { models: [{ id: 'acme/large' }] } })
})

test('an export gives each secret a variable of its own, and takes no text for one', async () => {
  const { admin } = gateway
  const spelled = '$'.concat('{HOME} costs $$', '{5}, ', '$$', '{HOME}')
  const provider = { kind: 'openai', base_url: 'http://127.0.0.1:9/v1', credential: 'sk-one' }
  const headers = { credential: 'a', 'a-credential': 'b' }
  for (const name of ['a b', 'a-b', 'a'])
    await admin.call('POST', '/admin/providers', { ...provider, name, headers })
  const further_credentials = [{ name: 'b', credential: 'sk-two' }]
  await admin.call('POST', '/admin/providers', { ...provider, name: spelled, further_credentials })
  await admin.call('PATCH', '/admin/settings', { receipt_seller: spelled })
  const text = exportConfiguration(await readCurrentItems(gateway.app.domains))
  const variables: string[] = []
  const file = readConfigurationFile(text, name => {
    variables.push(name)
    return `sk-${variables.length}`
  })
  if (!file.ok) throw new Error(file.refusal)
  expect(variables).toContain('A_B_CREDENTIAL')
  expect(new Set(variables).size).toBe(variables.length)
  expect(variables).not.toContain('HOME')
  expect(file.value.settings?.receipt_seller).toBe(spelled)
  expect(file.value.providers).toContainEqual(expect.objectContaining({ name: spelled }))
  expect(exportConfiguration(await readCurrentItems(gateway.app.domains))).toBe(text)
})

test.each([
  ['YAML that is none', 'settings: [', /not valid YAML/],
  ['an unknown section', 'provider: []', /provider/],
  ['an unknown field', 'providers: [{ name: a, kind: openai, base_url: "http://a/v1", token: x }]', /token/],
  ['a variable that is not set', 'settings: { receipt_seller: "$'.concat('{NOT_SET}" }'), /NOT_SET/],
  [
    'an item named twice',
    'packages: [&a { name: a, credits: 1, price: { amount: 1, currency: eur } }, *a]',
    /twice/,
  ],
])('%s is refused with one line', (_what, text, problem) => {
  const file = readConfigurationFile(text, () => undefined)
  expect(file.ok).toBe(false)
  if (file.ok) return
  expect(file.refusal).toMatch(problem)
  expect(file.refusal).not.toContain('\n')
})

test('a file that can not be applied stops the start with one line; a good one is there when the service listens', async () => {
  const folder = await makeTemporaryFolder()
  try {
    const path = join(folder.path, 'goldweight.yaml')
    await writeFile(path, FILE.replace('provider: Main', 'provider: Nobody'))
    const env = { GOLDWEIGHT_CONFIG_FILE: path, MAIN_KEY: 'sk-main-secret', SPARE_KEY: 'sk-spare-secret' }
    await expect(spawnGateway(join(folder.path, 'data'), env)).rejects.toThrow(
      /^The service ended with 1:\ngoldweight: .*can not be applied: model acme\/large: there is no provider Nobody/m,
    )
    await writeFile(path, FILE)
    const service = await spawnGateway(join(folder.path, 'data'), env)
    try {
      const admin = await signInAsAdmin(service.url)
      expect(await admin.call('GET', '/admin/models/acme/large')).toMatchObject({ enabled: true })
      expect(service.output()).not.toContain('sk-main-secret')
    } finally {
      await service.end('SIGTERM')
    }
  } finally {
    await folder.remove()
  }
})
