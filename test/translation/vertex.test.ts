/** OpenAI chat in, Vertex AI out: Gemini's models and Claude's, by tokens of a service account or by a key. */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  apiErrorOf,
  collectStream,
  startTranslatedStage,
  type TranslatedStage,
} from '#test/support/translated-stage.ts'
import { sendJson, startUpstream, type Upstream, type UpstreamHandler } from '#test/support/upstream.ts'
import {
  anthropicEnd,
  anthropicMessage,
  anthropicStart,
  anthropicText,
  writeAnthropicEvents,
} from './anthropic-wire.ts'
import { ask, askStreamed, HELLO, PLACE_FORMAT, sentTo, WEATHER_TOOL } from './chat-calls.ts'
import { describeFailures } from './failures.ts'
import { geminiPiece, geminiReply, writeGeminiEvents } from './gemini-wire.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const BASE_PATH = '/v1/projects/a-project/locations/europe-west1'

let tokens: Upstream
let gemini: TranslatedStage
let claude: TranslatedStage
let given = 0
beforeAll(async () => {
  tokens = await startUpstream((_request, response) =>
    sendJson(response, { access_token: `a-google-token-${++given}`, expires_in: 3600 }),
  )
  const credential = JSON.stringify({
    type: 'service_account',
    client_email: 'gateway@a-project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    token_uri: new URL('/token', tokens.baseUrl).href,
  })
  const start = (upstreamModel: string) =>
    startTranslatedStage({ kind: 'vertex', credential, upstreamModel, basePath: BASE_PATH })
  gemini = await start('gemini-2.5-pro')
  claude = await start('claude-sonnet-4-5@20250929')
})
afterAll(async () => {
  await gemini.close()
  await claude.close()
  await tokens.close()
})
beforeEach(() => {
  gemini.upstream.requests.length = 0
  claude.upstream.requests.length = 0
})

const saysHello: UpstreamHandler = (_request, response) =>
  sendJson(response, geminiReply([{ text: 'Hello!' }]))

describe('a service account', () => {
  test('gets one token for many calls that come at once', async () => {
    gemini.upstream.respond(saysHello)
    const before = tokens.requests.length
    await Promise.all([ask(gemini), ask(gemini), ask(gemini)])
    await ask(gemini)
    expect(tokens.requests.length - before).toBeLessThanOrEqual(1)
    const authorizations = gemini.upstream.requests.map(({ headers }) => headers.authorization)
    expect(new Set(authorizations).size).toBe(1)
    expect(authorizations[0]).toMatch(/^Bearer a-google-token-\d+$/)
  })

  test('that is refused a token is our fault, and nothing is sent', async () => {
    const broken = await startTranslatedStage({
      kind: 'vertex',
      credential: JSON.stringify({
        type: 'service_account',
        client_email: 'x',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        token_uri: 'http://127.0.0.1:1/token',
      }),
      upstreamModel: 'gemini-2.5-pro',
      basePath: BASE_PATH,
    })
    try {
      expect(await apiErrorOf(ask(broken))).toMatchObject({ status: 502, type: 'upstream_error' })
      expect(broken.upstream.requests).toEqual([])
      await broken.expectFree()
    } finally {
      await broken.close()
    }
  })

  test('whose key is no key can not sign, and that is our fault too', async () => {
    const broken = await startTranslatedStage({
      kind: 'vertex',
      credential: JSON.stringify({
        type: 'service_account',
        client_email: 'x',
        private_key: '-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n',
      }),
      upstreamModel: 'gemini-2.5-pro',
      basePath: BASE_PATH,
    })
    try {
      expect(await apiErrorOf(ask(broken))).toMatchObject({ status: 502, type: 'upstream_error' })
    } finally {
      await broken.close()
    }
  })
})

test('a key of the API stands in a header', async () => {
  const express = await startTranslatedStage({
    kind: 'vertex',
    credential: 'an-express-key',
    upstreamModel: 'gemini-2.5-pro',
    basePath: '/v1',
  })
  try {
    express.upstream.respond(saysHello)
    await ask(express)
    expect(sentTo(express)).toMatchObject({
      path: '/v1/publishers/google/models/gemini-2.5-pro:generateContent',
      headers: { 'x-goog-api-key': 'an-express-key' },
    })
  } finally {
    await express.close()
  }
})

describe('Gemini’s models', () => {
  test('are served by Google as their publisher', async () => {
    gemini.upstream.respond(saysHello)
    expect(await ask(gemini)).toMatchObject({ choices: [{ message: { content: 'Hello!' } }] })
    expect(sentTo(gemini)).toMatchObject({
      path: `${BASE_PATH}/publishers/google/models/gemini-2.5-pro:generateContent`,
      body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    })
    await gemini.expectCharged(20, 0, 0, 7)
  })

  test('keep the signatures of calls of tools', async () => {
    gemini.upstream.respond((_request, response) =>
      sendJson(
        response,
        geminiReply([{ functionCall: { name: 'weather', args: {} }, thoughtSignature: 'signed-by-google' }]),
      ),
    )
    const { choices } = await ask(gemini, { tools: [WEATHER_TOOL] })
    const message = choices[0]?.message
    gemini.upstream.respond(saysHello)
    const result = { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id, content: 'Snow' }
    await ask(gemini, { tools: [WEATHER_TOOL], messages: [...HELLO.messages, message, result] })
    expect(sentTo(gemini).body.contents).toMatchObject([
      {},
      { parts: [{ thoughtSignature: 'signed-by-google' }] },
      {},
    ])
  })
})

describe('Claude’s models', () => {
  test('are served by Anthropic as their publisher, in its protocol', async () => {
    claude.upstream.respond((_request, response) =>
      sendJson(response, anthropicMessage([{ type: 'text', text: 'Hello!' }])),
    )
    expect(await ask(claude)).toMatchObject({ choices: [{ message: { content: 'Hello!' } }] })
    const { path, body } = sentTo(claude)
    expect(path).toBe(`${BASE_PATH}/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`)
    expect(body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', messages: [{ role: 'user' }] })
    expect(body).not.toHaveProperty('model')
    await claude.expectCharged(20, 0, 0, 7)
  })

  test('stream', async () => {
    claude.upstream.respond((_request, response) => {
      writeAnthropicEvents(response, [
        anthropicStart(),
        ...anthropicText(0, ['Hel', 'lo!']),
        ...anthropicEnd(),
      ])
      response.end()
    })
    expect(await askStreamed(claude)).toMatchObject({ text: 'Hello!', finishReasons: ['stop'] })
    expect(sentTo(claude).path).toMatch(/:streamRawPredict$/)
  })

  test('write JSON by a tool, which the caller never sees', async () => {
    claude.upstream.respond((_request, response) => {
      const block = { type: 'tool_use', id: 'toolu_1', name: 'json', input: { city: 'Oslo' } }
      sendJson(response, anthropicMessage([block], { stopReason: 'tool_use' }))
    })
    const { choices } = await ask(claude, { response_format: PLACE_FORMAT })
    expect(choices[0]).toMatchObject({ message: { content: '{"city":"Oslo"}' }, finish_reason: 'stop' })
    expect(sentTo(claude).body).toMatchObject({ tools: [{ name: 'json' }], tool_choice: { type: 'any' } })
  })

  test('get pictures as data alone', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } }
    const error = await apiErrorOf(ask(claude, { messages: [{ role: 'user', content: [image] }] }))
    expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter' })
    expect(error.message).toContain('messages.0.content.0.image_url.url: ')
  })

  test('left within a stream are charged for the input that they reported', async () => {
    claude.upstream.respond((_request, response) => {
      writeAnthropicEvents(response, [
        anthropicStart({ input_tokens: 20, output_tokens: 1, cache_read_input_tokens: 900 }),
        ...anthropicText(0, ['Hello there, how are you?']),
      ])
    })
    const stream = await claude.client.chat.completions.create({ ...HELLO, stream: true })
    const controller = stream.controller
    await collectStream(
      (async function* () {
        for await (const chunk of stream) {
          yield chunk
          if (chunk.choices[0]?.delta.content) return controller.abort()
        }
      })(),
    )
    await expect.poll(async () => (await claude.lastRecord()).status, { timeout: 3_000 }).toBe('cancelled')
    const { usage, usage_source } = await claude.lastRecord()
    expect(usage).toMatchObject({ input: 20, cache_read: 900, cache_write: 0 })
    expect(usage.output).toBeGreaterThan(3)
    expect(usage_source).toBe('estimate')
  })
})

describeFailures(() => gemini, {
  errorBody: (status, message) => ({ error: { code: 0, message, status } }),
  answer: response => sendJson(response, geminiReply([{ text: 'Hello!' }])),
  begin: response => writeGeminiEvents(response, []),
  content: (response, text) => writeGeminiEvents(response, [geminiPiece([{ text }])]),
  finish: response => writeGeminiEvents(response, [geminiReply([{ text: '' }])]),
  error: (response, { type, message }) =>
    writeGeminiEvents(response, [{ error: { code: 503, message, status: type } }]),
  overloaded: 'UNAVAILABLE',
})
