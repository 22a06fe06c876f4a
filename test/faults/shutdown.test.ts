/** SIGTERM: no new request comes in, what runs may finish, everything is settled, and the process ends with 0. */
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectBooksToAddUp } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Launched, launch, listeningPort } from '#test/support/launch.ts'
import { isRunning, listDescendants } from '#test/support/process-tree.ts'
import { openRawClient, type RawClient } from '#test/support/raw-client.ts'
import { SAME_NAME_MODEL, type SpawnedService, startSpawnedService } from '#test/support/spawned-service.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { beginSse, chatChunk, chatReply, event, sendJson, usageChunk } from '#test/support/upstream.ts'

const MESSAGES = [{ role: 'user', content: 'Hi' }]

describe('a service that is told to end', () => {
  let service: SpawnedService
  let held: { response: ServerResponse; stream: boolean }[]

  beforeEach(async () => {
    held = []
    service = await startSpawnedService()
    service.upstream.respond(({ body }, response) => {
      const stream = body.stream === true
      if (stream) beginSse(response, [chatChunk({ role: 'assistant', content: 'Hello' })])
      held.push({ response, stream })
    })
  })
  afterEach(() => service.close())

  function open(stream: boolean): Promise<RawClient> {
    return openRawClient(service.gateway().url, {
      token: service.caller.token,
      body: JSON.stringify({ model: SAME_NAME_MODEL, messages: MESSAGES, stream }),
    })
  }

  /** Lets the upstream finish all that it holds. */
  function finishAll(): void {
    for (const { response, stream } of held) {
      if (stream) {
        for (const data of [chatChunk({}, 'stop'), usageChunk(), '[DONE]']) response.write(event(data))
        response.end()
      } else sendJson(response, chatReply('Hello'))
    }
  }

  function tell(signal: NodeJS.Signals): Promise<void> {
    service.gateway().child.kill(signal)
    return eventually(() => expect(service.gateway().output()).toContain('shutting down'))
  }

  test('lets what runs finish whole, refuses what is new, settles, and exits with 0', async () => {
    const gateway = service.gateway()
    const exited = new Promise(resolve => gateway.child.once('exit', resolve))
    const [streaming, waiting] = await Promise.all([open(true), open(false)])
    await eventually(() => {
      expect(held).toHaveLength(2)
      expect(streaming.text()).toContain('Hello')
    })
    await tell('SIGTERM')
    const refused = await fetch(`${gateway.url}/v1/quota`).then(
      response => response.status,
      () => 'connection refused',
    )
    expect([503, 'connection refused']).toContain(refused)
    expect(gateway.child.exitCode).toBeNull()

    finishAll()
    await eventually(() => {
      expect(streaming.text()).toMatch(/data: \[DONE\]\n\n/)
      expect(waiting.text()).toContain('"finish_reason":"stop"')
    })
    expect(await exited).toBe(0)
    expect(gateway.output()).toContain('shut down')
    const books = await service.books()
    expect(books.requests.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expectBooksToAddUp(books)
  })

  test('refuses a request on a connection that was open before with 503', async () => {
    const gateway = service.gateway()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    // One connection carries both: the second request waits behind the first.
    const ask = () =>
      new Promise<IncomingMessage | Error>(resolve => {
        const asking = request(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          agent,
          headers: { authorization: `Bearer ${service.caller.token}`, 'content-type': 'application/json' },
        })
        asking.once('response', response => resolve(response.resume()))
        asking.once('error', resolve)
        asking.end(JSON.stringify({ model: SAME_NAME_MODEL, messages: MESSAGES }))
      })
    const first = ask()
    await eventually(() => expect(held).toHaveLength(1))
    const second = ask()
    await tell('SIGTERM')
    finishAll()
    expect(await first).toMatchObject({ statusCode: 200 })
    const answer = await second
    if (!(answer instanceof Error)) {
      expect(answer.statusCode).toBe(503)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    }
    agent.destroy()
    await eventually(() => expect(gateway.child.exitCode).toBe(0))
    expect((await service.books()).requests).toHaveLength(1)
  })

  test('does not wait for connections on which nothing runs', async () => {
    const gateway = service.gateway()
    const agent = new Agent({ keepAlive: true })
    await new Promise(resolve => {
      request(`${gateway.url}/health`, { agent }, response => response.resume().once('end', resolve)).end()
    })
    const toldMs = performance.now()
    expect(await gateway.end('SIGTERM')).toBe(0)
    expect(performance.now() - toldMs).toBeLessThan(5_000)
    agent.destroy()
  })

  test('ends at once when it is told a second time', async () => {
    const gateway = service.gateway()
    const client = await open(true)
    await eventually(() => expect(client.text()).toContain('Hello'))
    await tell('SIGTERM')
    const toldMs = performance.now()
    await gateway.end('SIGTERM')
    expect(performance.now() - toldMs).toBeLessThan(2_000)
    await eventually(() => expect(client.isClosed()).toBe(true))
    expectBooksToAddUp(await service.books())
  })
})

describe('npm start', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
  let npm: Launched
  let served: number[]

  beforeEach(async () => {
    folder = await makeTemporaryFolder()
    served = []
    npm = launch({ command: ['npm', 'start'], env: { GOLDWEIGHT_DATA_DIR: folder.path } })
    await eventually(() => expect(listeningPort(npm)).not.toBeNull(), 40_000)
    served = await listDescendants(npm.child.pid ?? 0)
  })
  afterEach(async () => {
    // Only what this test has started itself, should it have failed.
    for (const pid of [...served, npm.child.pid ?? 0])
      if (pid > 0 && isRunning(pid)) process.kill(pid, 'SIGKILL')
    await folder.remove()
  })

  async function expectNothingLeft(): Promise<void> {
    const url = `http://127.0.0.1:${listeningPort(npm)}/health`
    await eventually(() => expect(served.filter(isRunning)).toEqual([]), 10_000)
    await expect(fetch(url)).rejects.toThrow()
    expect(npm.stdout()).toContain('shut down')
  }

  test('passes SIGTERM on to the serving process and leaves no orphan', async () => {
    expect(served.length).toBeGreaterThan(0)
    npm.child.kill('SIGTERM')
    await npm.exited
    await expectNothingLeft()
  })

  test('ends well when the serving process itself is told to end', async () => {
    const serving = served.at(-1)
    if (serving === undefined) throw new Error('npm has started nothing')
    process.kill(serving, 'SIGTERM')
    expect(await npm.exited).toBe(0)
    await expectNothingLeft()
  })
})
