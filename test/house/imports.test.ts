import { posix } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { importsOf, readSources, type SourceFile } from './source-files.ts'

/**
 * What each part of the server may import, beside itself and the contract. Imports point one way: from what serves to
 * what knows, from what knows to what stores.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  storage: ['lib'],
  telemetry: ['lib'],
  redis: ['lib', 'telemetry'],
  domains: ['lib', 'storage', 'telemetry'],
  http: ['lib', 'storage', 'telemetry', 'domains'],
  gateway: ['lib', 'storage', 'telemetry', 'redis', 'domains', 'http'],
  discovery: ['lib', 'storage', 'telemetry', 'redis', 'domains', 'http'],
  portal: ['lib', 'storage', 'telemetry', 'domains', 'http'],
  admin: ['lib', 'storage', 'telemetry', 'domains', 'http'],
  webhooks: ['domains', 'http'],
  web: ['http'],
  reference: ['http'],
  jobs: ['lib', 'storage', 'telemetry', 'domains'],
}

const aliases = Object.entries(packageJson.imports).map(([alias, target]) => ({
  prefix: alias.replace('*', ''),
  target: target.replace('./', '').replace('*', ''),
}))

/** The path from the root that an import means; null for a package. */
function resolve(file: SourceFile, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file.path), specifier)
  const alias = aliases.find(({ prefix }) => specifier.startsWith(prefix))
  return alias ? alias.target + specifier.slice(alias.prefix.length) : null
}

function partOf(path: string): string {
  const [top = '', part = ''] = path.split('/')
  return top === 'server' && !part.endsWith('.ts') ? part : top
}

const isTest = ({ path }: SourceFile) => path.endsWith('.test.ts')

test('imports in the server point one way', async () => {
  const wrong: string[] = []
  for (const file of (await readSources('server')).filter(file => !isTest(file))) {
    const allowed = MAY_IMPORT[partOf(file.path)]
    if (!allowed) continue
    for (const specifier of importsOf(file)) {
      const target = resolve(file, specifier)
      if (target === null) continue
      const part = partOf(target)
      if (part !== partOf(file.path) && part !== 'contract' && !allowed.includes(part)) {
        wrong.push(`${file.path} imports ${specifier}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

test('every folder of the server has its place in the order of imports', async () => {
  const parts = new Set((await readSources('server')).map(file => partOf(file.path)))
  expect([...parts].filter(part => !(part in MAY_IMPORT)).sort()).toEqual(['cli', 'server'])
})

/** What each part of the web applications may import, beside itself; tests and the build stand outside. */
const WEB_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ui: [],
  api: ['contract'],
  identity: ['contract', 'ui', 'api'],
  usage: ['contract', 'ui'],
  ledger: ['contract', 'ui'],
  keys: ['contract', 'ui'],
  orders: ['contract', 'ui'],
  frame: ['contract', 'ui', 'api', 'identity'],
  portal: ['contract', 'ui', 'api', 'identity', 'frame', 'usage', 'ledger', 'keys', 'orders'],
  admin: ['contract', 'ui', 'api', 'identity', 'frame', 'usage', 'ledger', 'keys', 'orders'],
  reference: ['ui'],
}

test('imports in the web applications point one way: the design system knows neither data nor pages', async () => {
  const wrong: string[] = []
  for (const file of (await readSources('web')).filter(file => !isTest(file))) {
    const part = webPartOf(file.path)
    const allowed = WEB_MAY_IMPORT[part]
    if (!allowed) continue
    for (const specifier of importsOf(file)) {
      const target = resolve(file, specifier)
      if (target === null) continue
      const targetPart = target.startsWith('contract/') ? 'contract' : webPartOf(target)
      if (targetPart !== part && !allowed.includes(targetPart))
        wrong.push(`${file.path} imports ${specifier}`)
    }
  }
  expect(wrong).toEqual([])
})

test('what applications share of signing in knows no router: each has its own', async () => {
  const wrong = (await readSources('web/identity')).flatMap(file =>
    importsOf(file)
      .filter(specifier => specifier.startsWith('@tanstack/react-router'))
      .map(specifier => `${file.path} imports ${specifier}`),
  )
  expect(wrong).toEqual([])
})

test('the design system knows neither the router nor the cache of replies', async () => {
  const wrong = (await readSources('web/ui')).flatMap(file =>
    importsOf(file)
      .filter(specifier => specifier.startsWith('@tanstack/'))
      .map(specifier => `${file.path} imports ${specifier}`),
  )
  expect(wrong).toEqual([])
})

/** `ui` for a file of the design system; the whole path for what is no part of the web applications. */
function webPartOf(path: string): string {
  const [top, part = ''] = path.split('/')
  return top === 'web' ? part : path
}

test('the contract imports nothing but the schema language and itself', async () => {
  const wrong = (await readSources('contract')).flatMap(file =>
    importsOf(file).filter(specifier => specifier !== 'zod' && !specifier.startsWith('./')),
  )
  expect(wrong).toEqual([])
})

test('only the configuration reads the environment', async () => {
  const readers = (await readSources('server')).filter(
    file => !isTest(file) && file.text.includes('process.env'),
  )
  expect(readers.map(file => file.path).sort()).toEqual([
    'server/cli/goldweight.ts',
    'server/cli/move-to-postgres.ts',
    'server/cli/verify-ledger.ts',
    'server/main.ts',
  ])
})

test('no folder of a provider is known outside the providers and the composition root', async () => {
  const wrong = (await readSources('server/gateway')).flatMap(file =>
    importsOf(file)
      .map(specifier => resolve(file, specifier) ?? '')
      .filter(target => /^server\/gateway\/providers\/(openai|anthropic|demo)\//.test(target))
      .filter(
        () =>
          !file.path.startsWith('server/gateway/providers/') &&
          !file.path.startsWith('server/gateway/off-thread/'),
      )
      .map(target => `${file.path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})
