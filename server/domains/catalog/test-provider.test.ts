import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { CatalogProvider } from './snapshot.ts'
import { createTestProvider } from './test-provider.ts'

const testProvider = createTestProvider(async ({ baseUrl, credential }) => ({
  method: 'GET',
  url: `${baseUrl}/models`,
  headers: { authorization: `Bearer ${credential}` },
  expects: 'models',
}))

const SECRET = 'secret-credential-value'
const HEADER_SECRET = 'secret-header-value'

let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise(resolve => (server ? server.close(resolve) : resolve(null)))
  server = undefined
})

async function listen(listener: RequestListener): Promise<CatalogProvider> {
  const started = createServer(listener)
  server = started
  await new Promise<void>(resolve => started.listen(0, '127.0.0.1', resolve))
  // A server that listens on an address, not on a pipe.
  const { port } = started.address() as AddressInfo
  return {
    id: 'prv_1',
    name: 'upstream',
    kind: 'openai',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    credential: SECRET,
    headers: { 'x-api-key': HEADER_SECRET },
    timeouts: { connect_ms: 1000, first_byte_ms: 1000, idle_ms: 1000 },
  }
}

describe('the test of a provider', () => {
  test('asks for its models with its credential and headers, and counts them', async () => {
    const provider = await listen((request, response) => {
      expect(request.url).toBe('/v1/models')
      expect(request.headers).toMatchObject({
        authorization: `Bearer ${SECRET}`,
        'x-api-key': HEADER_SECRET,
      })
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] }))
    })
    const result = await testProvider(provider)
    expect(result).toMatchObject({ ok: true, message: 'The provider answered 200 and lists 2 models' })
    expect(result.latency_ms).toBeGreaterThanOrEqual(0)
  })

  test('never repeats a secret that the provider echoes, cut in half neither', async () => {
    for (let padding = 240; padding < 300; padding += 5) {
      const provider = await listen((_request, response) => {
        response.statusCode = 401
        response.end(`${'x'.repeat(padding)} wrong key ${SECRET} and ${HEADER_SECRET}`)
      })
      const { ok, message } = await testProvider(provider)
      expect(ok).toBe(false)
      expect(message).toContain('401')
      expect(message).not.toContain('secret-')
      server?.close()
    }
  })

  test('fails on an answer that is no list of models', async () => {
    for (const answer of ['<html>', '{}', '{"data":1}', 'null']) {
      const provider = await listen((_request, response) => response.end(answer))
      expect(await testProvider(provider)).toMatchObject({
        ok: false,
        message: expect.stringContaining('not with a list of models'),
      })
      server?.close()
    }
  })

  test('follows no redirect', async () => {
    const provider = await listen((request, response) => {
      expect(request.url).toBe('/v1/models')
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await testProvider(provider)).toMatchObject({ ok: false, message: expect.stringContaining('302') })
  })

  test('reads no more than a list of models can be', async () => {
    const provider = await listen((_request, response) => {
      const piece = 'x'.repeat(64 * 1024)
      const pour = () => {
        while (!response.destroyed && response.write(piece)) {}
        response.once('drain', pour)
      }
      pour()
    })
    expect((await testProvider(provider)).ok).toBe(false)
  })

  test('gives up when the provider is silent or not there', async () => {
    const provider = await listen(() => {})
    const silent = await testProvider({
      ...provider,
      timeouts: { connect_ms: 1000, first_byte_ms: 100, idle_ms: 100 },
    })
    expect(silent).toMatchObject({ ok: false, message: expect.stringContaining('did not answer') })
    const gone = await testProvider({ ...provider, baseUrl: 'http://127.0.0.1:1/v1' })
    expect(gone).toMatchObject({ ok: false, message: expect.stringContaining('ECONNREFUSED') })
  })

  test('of the demonstration needs no network', async () => {
    const provider = await listen(() => {})
    expect((await testProvider({ ...provider, kind: 'demo', baseUrl: 'demo:' })).ok).toBe(true)
  })
})
