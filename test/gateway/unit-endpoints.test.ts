/** Endpoints that are charged by other units than tokens, and those that pass to one kind of upstream alone. */
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { makeModel } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { openRawClient } from '#test/support/raw-client.ts'
import { type Stage, startStage } from '#test/support/stage.ts'
import { beginSse, sendJson, type UpstreamHandler } from '#test/support/upstream.ts'

const MODEL = 'media'
const UNIT_WEIGHTS = { image: 0.04, second: 0.0001, search: 0.002, character: 15 }
const ENDPOINTS = [
  'completions',
  'moderations',
  'images',
  'image_edits',
  'image_variations',
  'speech',
  'transcriptions',
  'translations',
  'rerank',
]

let stage: Stage
let client: OpenAI

beforeAll(async () => {
  stage = await startStage()
  await makeModel(stage.gateway.admin, MODEL, {
    routes: [{ baseUrl: stage.upstream.baseUrl }],
    endpoints: ENDPOINTS,
    unitWeights: UNIT_WEIGHTS,
  })
  client = new OpenAI({
    apiKey: stage.caller.token,
    baseURL: `${stage.gateway.url}/v1`,
    maxRetries: 0,
  })
})
afterAll(async () => {
  const verified = await stage.gateway.app.storage.snapshot(verifyLedger)
  await stage.close()
  expect(verified).toMatchObject({ ok: true })
})

let id: string
beforeEach(() => {
  id = ''
})

/** Answers with JSON that names the upstream's model. */
function reply(body: object): UpstreamHandler {
  return (_request, response) => sendJson(response, body)
}

/** The record of the latest request. */
async function latest() {
  const { data } = await stage.gateway.admin.call<{ data: { id: string }[] }>(
    'GET',
    '/admin/requests?limit=1',
  )
  id = data[0]?.id ?? ''
  return stage.recordOf(id)
}

function sentField(name: string): string | undefined {
  const text = stage.upstream.requests.at(-1)?.bytes.toString('latin1') ?? ''
  return new RegExp(`name="${name}"[^]*?\r\n\r\n([^]*?)\r\n--`).exec(text)?.[1]
}

/** One second of silence, 8000 samples of one byte. */
function wav(seconds: number): File {
  const samples = 8_000 * seconds
  const bytes = Buffer.alloc(44 + samples)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(8_000, 24)
  bytes.writeUInt32LE(8_000, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples, 40)
  return new File([bytes], 'speech.wav', { type: 'audio/wav' })
}

describe('images', () => {
  test('are charged by how many there are, whatever was asked for', async () => {
    stage.upstream.respond(reply({ created: 1, data: [{ b64_json: 'aGk=' }, { b64_json: 'aG8=' }] }))
    const answer = await client.images.generate({ model: MODEL, prompt: 'A cat', n: 3 })
    expect(answer.data).toHaveLength(2)
    expect(stage.upstream.requests.at(-1)).toMatchObject({
      path: '/v1/images/generations',
      body: { model: 'upstream-model', prompt: 'A cat', n: 3 },
    })
    expect(await latest()).toMatchObject({
      endpoint: 'images',
      status: 'succeeded',
      usage: { input: 0, output: 0 },
      unit: { name: 'image', count: 2, weight: 0.04 },
      credits: 0.08,
      usage_source: 'upstream',
    })
  })

  test('tokens that are reported beside them are charged too', async () => {
    stage.upstream.respond(
      reply({
        created: 1,
        data: [{ b64_json: 'aGk=' }],
        usage: { input_tokens: 10, output_tokens: 100, total_tokens: 110 },
      }),
    )
    await client.images.generate({ model: MODEL, prompt: 'A cat' })
    // 10 x 2 + 100 x 10 micro-credits, and 0.04 credits.
    expect(await latest()).toMatchObject({
      usage: { input: 10, output: 100 },
      unit: { count: 1 },
      credits: 0.04102,
    })
  })

  test.each(['edits', 'variations'] as const)(
    '%s take form data, in which the model is renamed',
    async what => {
      stage.upstream.respond(reply({ created: 1, data: [{ url: 'https://example.org/1.png' }] }))
      const image = new File([Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1')], 'a.png', { type: 'image/png' })
      if (what === 'edits') await client.images.edit({ model: MODEL, image, prompt: 'A dog' })
      else await client.images.createVariation({ model: MODEL, image })
      expect(stage.upstream.requests.at(-1)?.path).toBe(`/v1/images/${what}`)
      expect(sentField('model')).toBe('upstream-model')
      expect(sentField('image')).toBe('\x89PNG\r\n\x1a\n\0\0')
      expect(await latest()).toMatchObject({ unit: { name: 'image', count: 1 }, credits: 0.04 })
    },
  )

  test('a stream of them is refused, naming the field', async () => {
    const answer = await stage.call('/v1/images/generations', { model: MODEL, prompt: 'A', stream: true })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('stream: is not supported')
  })
})

describe('speech', () => {
  const AUDIO = Buffer.from(Array.from({ length: 3_000 }, (_, index) => index % 256))
  const speak: UpstreamHandler = async (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    for (const at of [0, 1_000, 2_000]) {
      response.write(AUDIO.subarray(at, at + 1_000))
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    response.end()
  }
  const ask = (input: string) => client.audio.speech.create({ model: MODEL, voice: 'alloy', input })

  test('comes as the bytes that the upstream sent, and is charged by characters', async () => {
    stage.upstream.respond(speak)
    const answer = await ask('Grüße, 👋!')
    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
    expect(Buffer.from(await answer.arrayBuffer()).equals(AUDIO)).toBe(true)
    // Nine characters, however many bytes they are.
    expect(await latest()).toMatchObject({
      endpoint: 'speech',
      stream: false,
      unit: { name: 'character', count: 9, weight: 15 },
      credits: 0.000135,
      usage_source: 'request',
    })
  })

  test('what breaks off is no audio file that looks whole, and costs nothing', async () => {
    stage.upstream.respond((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 3_000 })
      response.write(AUDIO.subarray(0, 1_000))
      setTimeout(() => {
        response.write(AUDIO.subarray(1_000, 2_000))
        setTimeout(() => response.destroy(), 20)
      }, 20)
    })
    await expect(ask('Hi').then(answer => answer.arrayBuffer())).rejects.toThrow()
    await eventually(async () => expect(await latest()).toMatchObject({ status: 'failed', credits: 0 }))
  })

  test('a client that leaves when it has heard something pays for it', async () => {
    stage.upstream.respond((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.write(AUDIO.subarray(0, 1_000))
      setTimeout(() => response.write(AUDIO.subarray(1_000, 2_000)), 10)
    })
    const raw = await openRawClient(stage.gateway.url, {
      path: '/v1/audio/speech',
      token: stage.caller.token,
      body: JSON.stringify({ model: MODEL, input: 'Hi', voice: 'alloy' }),
    })
    await eventually(() => expect(raw.receivedBytes()).toBeGreaterThan(1_000))
    raw.leave('RST')
    await eventually(async () =>
      expect(await latest()).toMatchObject({ status: 'cancelled', unit: { count: 2 }, credits: 0.00003 }),
    )
  })

  test('JSON under a status of success is no speech', async () => {
    stage.upstream.respond(reply({ ok: true }))
    await expect(ask('Hi')).rejects.toMatchObject({ status: 502 })
  })

  test('an error before the first byte is an error', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'voice: unknown', type: 'invalid_request_error' } }, 400),
    )
    await expect(ask('Hi')).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/voice/) })
  })
})

describe('transcriptions', () => {
  const transcribe = (file: File, more = {}) =>
    client.audio.transcriptions.create({ model: MODEL, file, ...more })

  test('are charged by the seconds that the upstream reports', async () => {
    stage.upstream.respond(reply({ text: 'Hello', usage: { type: 'duration', seconds: 7 } }))
    expect(await transcribe(wav(1))).toMatchObject({ text: 'Hello' })
    expect(stage.upstream.requests.at(-1)?.path).toBe('/v1/audio/transcriptions')
    expect(sentField('model')).toBe('upstream-model')
    expect(await latest()).toMatchObject({
      unit: { name: 'second', count: 7, weight: 0.0001 },
      credits: 0.0007,
      usage_source: 'upstream',
    })
  })

  test('or by the duration in a longer answer, rounded up', async () => {
    stage.upstream.respond(reply({ text: 'Hello', duration: 8.47, segments: [] }))
    await transcribe(wav(1), { response_format: 'verbose_json' })
    expect(await latest()).toMatchObject({ unit: { count: 9 } })
  })

  test('or by tokens where these are reported, with seconds by what the file says of itself', async () => {
    stage.upstream.respond(
      reply({
        text: 'Hello',
        usage: { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 },
      }),
    )
    await transcribe(wav(3))
    expect(await latest()).toMatchObject({
      usage: { input: 14, output: 45 },
      unit: { count: 3 },
      usage_source: 'estimate',
    })
  })

  test.each([
    ['text', 'Hello\n', 'text/plain; charset=utf-8', 3, 'estimate'],
    ['srt', '1\n00:00:00,000 --> 01:00:04,100\nHello\n\n', 'text/plain', 3_605, 'upstream'],
    ['vtt', 'WEBVTT\n\n00:00.000 --> 00:05.000\nHello\n\n', 'text/vtt', 5, 'upstream'],
  ] as const)('as %s', async (format, text, contentType, seconds, source) => {
    stage.upstream.respond((_request, response) =>
      response.writeHead(200, { 'content-type': contentType }).end(text),
    )
    const form = new FormData()
    form.set('file', wav(3))
    form.set('model', MODEL)
    form.set('response_format', format)
    const response = await fetch(`${stage.gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.caller.token}` },
      body: form,
    })
    expect(await response.text()).toBe(text)
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(await latest()).toMatchObject({ unit: { count: seconds }, usage_source: source })
  })

  test('of a format that tells nothing are estimated by its size, never free', async () => {
    stage.upstream.respond(reply({ text: 'Hello' }))
    await transcribe(new File([Buffer.alloc(40_000)], 'a.mp3'))
    expect(await latest()).toMatchObject({ unit: { count: 3 }, usage_source: 'estimate' })
  })

  test('into English go to a route of their own', async () => {
    stage.upstream.respond(reply({ text: 'Hello', duration: 2 }))
    await client.audio.translations.create({ model: MODEL, file: wav(1) })
    expect(stage.upstream.requests.at(-1)?.path).toBe('/v1/audio/translations')
    expect(await latest()).toMatchObject({ endpoint: 'translations', unit: { count: 2 } })
  })

  test('a big file passes through as it is', async () => {
    stage.upstream.respond(reply({ text: 'Hello', duration: 2 }))
    const file = Buffer.alloc(3_000_000, 'abc\r\n--x')
    await transcribe(new File([file], 'a.mp3'))
    expect(stage.upstream.requests.at(-1)?.bytes.includes(file)).toBe(true)
    expect(sentField('model')).toBe('upstream-model')
  })

  const form = (fields: [string, string | File][]) => {
    const data = new FormData()
    for (const [name, value] of fields) data.append(name, value)
    return data
  }

  test.each([
    ['no model', form([['file', wav(1)]]), 400, /^model: /],
    [
      'two models',
      form([
        ['model', MODEL],
        ['model', 'x'],
        ['file', wav(1)],
      ]),
      400,
      /^model: stands twice/,
    ],
    [
      'an unknown model',
      form([
        ['model', 'none'],
        ['file', wav(1)],
      ]),
      404,
      /none/,
    ],
    [
      'a stream',
      form([
        ['model', MODEL],
        ['stream', 'true'],
        ['file', wav(1)],
      ]),
      400,
      /^stream: /,
    ],
  ])('%s', async (_what, body, status, message) => {
    const response = await fetch(`${stage.gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.caller.token}` },
      body,
    })
    expect(response.status).toBe(status)
    expect(JSON.parse(await response.text()).error.message).toMatch(message)
  })

  test('JSON is not what is due', async () => {
    const answer = await stage.call('/v1/audio/transcriptions', { model: MODEL })
    expect(answer.status).toBe(415)
    expect(answer.text).toContain('multipart/form-data')
  })

  test('broken form data are refused', async () => {
    const answer = await stage.call('/v1/audio/transcriptions', '--x\r\n', {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(answer.status).toBe(400)
  })
})

describe('rerank', () => {
  const rerank = (documents: number) =>
    stage.call('/v1/rerank', { model: MODEL, query: 'q', documents: Array(documents).fill('d'), top_n: 1 })
  const results = [{ index: 0, relevance_score: 0.9 }]

  test('is charged by the searches that Cohere reports', async () => {
    stage.upstream.respond(reply({ id: 'x', results, meta: { billed_units: { search_units: 2 } } }))
    expect((await rerank(3)).status).toBe(200)
    expect(stage.upstream.requests.at(-1)?.path).toBe('/v1/rerank')
    expect(await latest()).toMatchObject({
      unit: { name: 'search', count: 2, weight: 0.002 },
      credits: 0.004,
      usage_source: 'upstream',
    })
  })

  test.each([
    [1, 1],
    [100, 1],
    [101, 2],
  ])('%d documents are %d searches where nothing is reported', async (documents, count) => {
    stage.upstream.respond(reply({ results }))
    await rerank(documents)
    expect(await latest()).toMatchObject({ unit: { count }, usage_source: 'request' })
  })

  test('tokens that are reported are charged beside it', async () => {
    stage.upstream.respond(reply({ results, usage: { total_tokens: 50 } }))
    await rerank(1)
    expect(await latest()).toMatchObject({ usage: { input: 50 }, unit: { count: 1 }, credits: 0.0021 })
  })
})

describe('older completions', () => {
  test('pass through, charged by tokens', async () => {
    stage.upstream.respond(
      reply({
        id: 'cmpl-1',
        object: 'text_completion',
        model: 'upstream-model',
        choices: [{ index: 0, text: ' you?', finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      }),
    )
    const answer = await client.completions.create({ model: MODEL, prompt: 'How are' })
    expect(answer).toMatchObject({ model: MODEL, choices: [{ text: ' you?' }] })
    expect(await latest()).toMatchObject({ usage: { input: 3, output: 2 }, unit: null })
  })

  test('stream, one choice for each prompt', async () => {
    const chunk = (index: number, text: string, finish_reason: string | null = null) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      model: 'upstream-model',
      choices: [{ index, text, finish_reason }],
    })
    stage.upstream.respond((request, response) => {
      expect(request.body.stream_options).toEqual({ include_usage: true })
      const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
      const chunks = [
        chunk(0, 'a'),
        chunk(1, 'b'),
        chunk(1, '', 'stop'),
        chunk(0, 'c'),
        chunk(0, '', 'length'),
      ]
      beginSse(response, [...chunks, { ...chunk(0, ''), choices: [], usage }, '[DONE]'])
      response.end()
    })
    const stream = await client.completions.create({ model: MODEL, prompt: ['x', 'y'], stream: true })
    let text = ''
    for await (const { choices } of stream) text += choices.map(choice => choice.text).join('')
    expect(text).toBe('abc')
    expect(await latest()).toMatchObject({ stream: true, usage: { input: 3, output: 2 } })
  })

  test('without a report are estimated from prompt and text', async () => {
    stage.upstream.respond(
      reply({
        object: 'text_completion',
        choices: [{ index: 0, text: ' you today?', finish_reason: 'stop' }],
      }),
    )
    await client.completions.create({ model: MODEL, prompt: 'How are' })
    expect(await latest()).toMatchObject({ usage: { input: 2, output: 3 }, usage_source: 'estimate' })
  })
})

test('moderations are charged by an estimate of what was read', async () => {
  stage.upstream.respond(reply({ id: 'modr-1', model: 'upstream-model', results: [{ flagged: false }] }))
  const answer = await client.moderations.create({ model: MODEL, input: 'Hello there' })
  expect(answer).toMatchObject({ model: MODEL, results: [{ flagged: false }] })
  const record = await latest()
  expect(record).toMatchObject({ endpoint: 'moderations', usage_source: 'estimate', usage: { output: 0 } })
  expect(record.usage.input).toBeGreaterThan(1)
})

describe('unpriced is never free', () => {
  const create = (id: string, more: object) =>
    stage.gateway.admin.call('POST', '/admin/models', {
      id,
      endpoints: ['images'],
      weights: { input: 0, cache_read: 0, cache_write: 0, output: 0 },
      ...more,
    })

  test('a model that serves images is not enabled without a weight for them', async () => {
    expect(await create('pictures', {})).toMatchObject({ enabled: false, unit_weights: null })
    await expect(create('pictures-2', { enabled: true })).rejects.toThrow(/400.*unit_weights.image/)
    await expect(
      stage.gateway.admin.call('PATCH', '/admin/models/pictures', { enabled: true }),
    ).rejects.toThrow(/400.*unit_weights.image/)
    expect(
      await stage.gateway.admin.call('PATCH', '/admin/models/pictures', {
        unit_weights: { image: 0 },
        enabled: true,
      }),
    ).toMatchObject({ enabled: true, unit_weights: { image: 0 } })
  })

  test('nor does it get such an endpoint while it is enabled', async () => {
    expect(await create('chatty', { endpoints: ['chat'] })).toMatchObject({ enabled: true })
    await expect(
      stage.gateway.admin.call('PATCH', '/admin/models/chatty', { endpoints: ['chat', 'speech'] }),
    ).rejects.toThrow(/400.*unit_weights.character/)
  })

  test('weights that go take the model out of service', async () => {
    expect(await create('painted', { unit_weights: { image: 1 } })).toMatchObject({ enabled: true })
    expect(
      await stage.gateway.admin.call('PATCH', '/admin/models/painted', { unit_weights: null }),
    ).toMatchObject({ enabled: false })
  })

  test('the public catalogue shows them', async () => {
    const answer = await stage.call(`/v1/catalog/models/${MODEL}`)
    expect(JSON.parse(answer.text).unit_weights).toEqual(UNIT_WEIGHTS)
  })
})
