import { access, readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT, readSources } from './source-files.ts'

const MAX_LINES = 300

test('no source file grows beyond what one idea needs', async () => {
  const long = (await readSources('server', 'contract', 'bench', 'web'))
    .filter(file => !file.path.endsWith('.test.ts'))
    .map(file => ({ path: file.path, lines: file.text.split('\n').length }))
    .filter(file => file.lines > MAX_LINES)
  expect(long).toEqual([])
})

test.each(['server/gateway', 'server/domains'])('every folder of %s opens with a README', async folder => {
  const entries = await readdir(ROOT + folder, { withFileTypes: true })
  for (const entry of entries.filter(entry => entry.isDirectory())) {
    await access(`${ROOT}${folder}/${entry.name}/README.md`)
  }
})

test('a migration has a number of its own', async () => {
  const files = await readdir(`${ROOT}server/storage/migrations`)
  const names = files.filter(name => /^\d+-[a-z-]+\.ts$/.test(name)).sort()
  const numbers = Map.groupBy(names, name => name.slice(0, 4))
  const shared = [...numbers.values()].filter(({ length }) => length > 1)
  // These two met when they were new. The names of migrations stand in databases, so they stay as they are.
  expect(shared).toEqual([['0022-package-position.ts', '0022-provider-credentials.ts']])
})

test('every version is pinned, and the lock file names no host', async () => {
  const { dependencies, devDependencies, optionalDependencies } = packageJson
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  expect(await readFile(`${ROOT}package-lock.json`, 'utf8')).not.toMatch(/"resolved": "https?:/)
})

test('documents link to files that exist', async () => {
  const documents = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'bench/README.md', 'web/README.md']
  const broken: string[] = []
  for (const document of documents) {
    const text = await readFile(ROOT + document, 'utf8')
    const base = document.includes('/') ? `${document.split('/')[0]}/` : ''
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      await access(ROOT + base + target).catch(() => broken.push(`${document}: ${target}`))
    }
  }
  expect(broken).toEqual([])
})
