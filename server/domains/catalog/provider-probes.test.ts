import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createProviderProbes } from './provider-probes.ts'
import type { CatalogProvider } from './snapshot.ts'

const { testProvider, discoverModels } = createProviderProbes(kind =>
  kind === 'demo'
    ? { known: [{ upstreamModel: 'echo', endpoints: ['chat'] }] }
    : {
        questions: async ({ baseUrl, credential }) =>
          ['models', 'more'].map(path => ({
            method: 'GET',
            url: `${baseUrl}/${path}`,
            headers: { authorization: `Bearer ${credential}` },
          })),
        // The answers of these tests hold objects with an id, or are no lists.
        read: answer =>
          (answer as { data?: { id: string }[] } | null)?.data?.map?.(({ id }) => ({
            upstreamModel: id,
            endpoints: ['chat'],
          })) ?? null,
        note: 'Names are those of the tests.',
      },
)

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
    credentialId: 'prv_1:1',
    credentialName: null,
    endpoints: null,
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
    expect([silent.verdict, gone.verdict]).toEqual(['timed_out', 'unreachable'])
  })

  test('says in one word what is wrong', async () => {
    const words = {
      401: 'credential_refused',
      403: 'credential_refused',
      404: 'not_found',
      429: 'throttled',
      500: 'failed',
      418: 'unexpected_answer',
    }
    for (const [status, verdict] of Object.entries(words)) {
      const provider = await listen((_request, response) => response.writeHead(Number(status)).end('no'))
      expect(await testProvider(provider)).toMatchObject({ ok: false, verdict })
      server?.close()
    }
  })

  test('of the demonstration needs no network', async () => {
    const provider = await listen(() => {})
    expect((await testProvider({ ...provider, kind: 'demo', baseUrl: 'demo:' })).ok).toBe(true)
  })
})

describe('the discovery of models', () => {
  test('reads every list of a provider, each model once', async () => {
    const provider = await listen((request, response) => {
      const ids = request.url === '/v1/models' ? ['a', 'b'] : ['b', 'c']
      response.end(JSON.stringify({ data: ids.map(id => ({ id })) }))
    })
    const found = await discoverModels(provider)
    expect(found).toMatchObject({
      ok: true,
      verdict: 'ok',
      message: 'The provider lists 3 models. Names are those of the tests.',
    })
    expect(found.models.map(model => model.upstreamModel)).toEqual(['a', 'b', 'c'])
  })

  test('gives no models, but the reason, when a list does not come', async () => {
    const provider = await listen((request, response) => {
      if (request.url === '/v1/more') response.statusCode = 401
      response.end(JSON.stringify({ data: [{ id: 'a' }], wrong: SECRET }))
    })
    const found = await discoverModels(provider)
    expect(found).toMatchObject({ ok: false, verdict: 'credential_refused', models: [] })
    expect(found.message).not.toContain('secret-')
  })

  test('of the demonstration needs no network', async () => {
    const provider = await listen(() => {})
    const { ok, models } = await discoverModels({ ...provider, kind: 'demo', baseUrl: 'demo:' })
    expect({ ok, models }).toMatchObject({ ok: true, models: [{ upstreamModel: 'echo' }] })
  })
})
