/** The first start prints once what its operator needs, and what it prints works as it stands. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { type Launched, launch, listeningPort } from '#test/support/launch.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let service: Launched

async function start(): Promise<void> {
  service = launch({ env: { GOLDWEIGHT_DATA_DIR: folder.path } })
  await eventually(() => expect(listeningPort(service), service.stderr()).not.toBeNull(), 40_000)
}

async function stop(): Promise<void> {
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
}

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await start()
})
afterAll(async () => {
  service.child.kill('SIGKILL')
  await service.exited
  await folder.remove()
})

/** The printed request, read as a shell reads it, as what `fetch` takes. */
async function readPasted(printed: string): Promise<{ url: string; init: RequestInit }> {
  const command = /curl ((?:.*\\\n)*.*)/.exec(printed)?.[1]
  if (command === undefined) throw new Error(`Nothing to paste in: ${printed}`)
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\0' ${command}`])
  const words = stdout.split('\0').slice(0, -1)
  const headers: Record<string, string> = {}
  let url = ''
  let body: string | undefined
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(': ')
      headers[name] = value
    } else if (word === '-d') body = words.shift()
    else url = word
  }
  return { url: url.replace('localhost', '127.0.0.1'), init: { method: 'POST', headers, body } }
}

function afterLabel(label: string): string {
  return new RegExp(`${label}\\s+(\\S+)`).exec(service.stdout())?.[1] ?? ''
}

test('what is printed: an administrator, a key and a request to paste', async () => {
  const printed = service.stdout()
  expect(printed).toMatch(/Administrator\n\s+e-mail\s+\S+@\S+\n\s+password\s+\S{10,}\n/)
  expect(printed).toMatch(/API key\s+gw_\w+\n/)
  expect(printed).toContain('demo/echo')
  expect(service.stderr()).toBe('')
})

test('the pasted request is answered and charged', async () => {
  const { url, init } = await readPasted(service.stdout())
  const response = await fetch(url, init)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    model: 'demo/echo',
    choices: [{ message: { content: expect.stringContaining('Hello!') } }],
  })
  const quota = await fetch(`http://127.0.0.1:${listeningPort(service)}/v1/quota`, {
    headers: { authorization: `Bearer ${afterLabel('API key')}` },
  })
  const usage: unknown = await quota.json()
  expect(usage).toMatchObject({ object: 'quota', credit_status: 'active' })
  expect(usage).not.toMatchObject({ used: 0 })
})

test('the printed passwords sign in, each to its own application', async () => {
  const pairs = [...service.stdout().matchAll(/e-mail\s+(\S+)\n\s+password\s+(\S+)/g)]
  expect(pairs).toHaveLength(2)
  for (const [index, path] of ['/admin/sign-in', '/client/sign-in'].entries()) {
    const response = await fetch(`http://127.0.0.1:${listeningPort(service)}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: pairs[index]?.[1], password: pairs[index]?.[2] }),
    })
    expect(response.status).toBe(200)
  }
})

test('a second start prints none of it, and the key still works', async () => {
  const key = afterLabel('API key')
  await stop()
  await start()
  expect(service.stdout()).not.toMatch(/gw_|password|curl|Administrator/)
  const quota = await fetch(`http://127.0.0.1:${listeningPort(service)}/v1/quota`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(quota.status).toBe(200)
})

test('a first start whose port is taken makes no password that nobody is ever shown', async () => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo // a server that listens on a port has one
  const otherFolder = await makeTemporaryFolder()
  const env = { GOLDWEIGHT_DATA_DIR: otherFolder.path }
  const refused = launch({ env: { ...env, PORT: String(port) } })
  expect(await refused.exited).toBe(1)
  expect(refused.stderr()).toContain('EADDRINUSE')
  taken.close()

  const second = launch({ env })
  await eventually(() => expect(second.stdout()).toContain('"port"'), 15_000)
  expect(second.stdout()).toMatch(/Administrator\n\s+e-mail\s+\S+@\S+\n\s+password\s+\S{10,}\n/)
  expect(second.stdout()).toMatch(/API key\s+gw_\w+\n/)
  second.child.kill('SIGTERM')
  expect(await second.exited).toBe(0)
  await otherFolder.remove()
})
