import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#server/config.ts'
import { ROOT } from './source-files.ts'

type Service = {
  readonly environment?: Record<string, string>
  readonly volumes?: string[]
  readonly depends_on?: string[] | Record<string, unknown>
}

const read = (path: string) => readFile(ROOT + path, 'utf8')

async function readCompose() {
  const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
    await read('deploy/compose.yaml'),
    { merge: true },
  )
  const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('node-'))
  return { ...compose, nodes }
}

/** A value as compose fills it in when only what is required is set. */
function filled(value: string): string {
  return value.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_text, _name, kind, rest) =>
    kind === '-' ? rest : 'a-value-that-is-long-enough',
  )
}

test('the nodes of the compose file are configured by variables that there are, with values that are right', async () => {
  const { nodes } = await readCompose()
  const documented = await read('docs/configuration.md')
  expect(nodes.length).toBe(2)
  for (const [, { environment = {} }] of nodes) {
    for (const name of Object.keys(environment)) expect(documented).toContain(`\`${name}\``)
    const values = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, filled(value)]),
    )
    expect(readConfig(values)).toMatchObject({
      databaseUrl: expect.stringContaining('postgres:5432'),
      redis: { hosts: [{ host: 'valkey', port: 6379 }] },
      trustProxy: ['uniquelocal'],
    })
  }
})

test('whatever the compose file refers to is there', async () => {
  const { services, volumes, nodes } = await readCompose()
  for (const { volumes: used = [], depends_on: needed = [] } of Object.values(services)) {
    for (const volume of used.filter(text => !text.startsWith('.'))) {
      expect(Object.keys(volumes)).toContain(volume.split(':')[0])
    }
    for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
      expect(services).toHaveProperty(name)
  }
  const balancer = await read('deploy/haproxy.cfg')
  for (const [name] of nodes) expect(balancer).toContain(`server ${name} ${name}:8080`)
})

test('the image starts the service as npm does, and as an ordinary user', async () => {
  const dockerfile = await read('deploy/Dockerfile')
  const { scripts } = JSON.parse(await read('package.json'))
  const command: string[] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]')
  expect(`exec ${command.join(' ')}`).toBe(scripts.start)
  expect(dockerfile).toMatch(/^USER node$/m)
})
