/** Anthropic's Messages in, OpenAI's chat out: the official library of one vendor over an upstream of the other. */
import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { namedEventsOf } from '#test/support/dialects.ts'
import { eventually } from '#test/support/eventually.ts'
import { PUBLIC_MODEL, startTranslatedStage, type TranslatedStage } from '#test/support/translated-stage.ts'
import { beginSse, chatChunk, chatReply, event, sendJson, usageChunk } from '#test/support/upstream.ts'

let stage: TranslatedStage
let client: Anthropic
beforeAll(async () => {
  stage = await startTranslatedStage({
    kind: 'openai',
    credential: 'sk-secret-key-of-ours',
    upstreamModel: 'gpt-5',
  })
  client = new Anthropic({ authToken: stage.caller.token, baseURL: stage.gateway.url, maxRetries: 0 })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.requests.length = 0
})

type Params = Anthropic.MessageCreateParamsNonStreaming
const hello: Params = { model: PUBLIC_MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
/** Members that the library's types do not know. */
const asParams = (body: object) => ({ ...hello, ...body }) as Params
const sentBody = () => stage.upstream.requests.at(-1)?.body

const WEATHER: Anthropic.Tool = {
  name: 'weather',
  description: 'Tells the weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

async function errorOf(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof APIError)) throw new Error(`Expected an APIError, got ${error}`)
  return error
}

const STREAM = [
  chatChunk({ role: 'assistant', content: '' }),
  chatChunk({ reasoning_content: 'Which city?' }),
  chatChunk({ content: 'Let me' }),
  chatChunk({ content: ' see.' }),
  chatChunk({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }],
  }),
  chatChunk({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
  chatChunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
  chatChunk({
    tool_calls: [
      {
        index: 1,
        id: 'call_2',
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"Rome"}' },
      },
    ],
  }),
  chatChunk({}, 'tool_calls'),
]
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 7,
  total_tokens: 27,
  prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 2 },
}

describe('what is sent', () => {
  beforeEach(() => {
    stage.upstream.respond((_request, response) => sendJson(response, chatReply('Hello!')))
  })

  test('a question with all that can be said beside it', async () => {
    await client.messages.create(
      asParams({
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        temperature: 0.5,
        stop_sequences: ['END'],
        metadata: { user_id: 'user-7' },
        tools: [WEATHER],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        output_config: { effort: 'low' },
      }),
    )
    expect(stage.upstream.requests.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-secret-key-of-ours' },
      body: {
        model: 'gpt-5',
        max_completion_tokens: 100,
        temperature: 0.5,
        stop: ['END'],
        user: 'user-7',
        reasoning_effort: 'low',
        tool_choice: 'required',
        parallel_tool_calls: false,
        tools: [{ type: 'function', function: { name: 'weather', parameters: WEATHER.input_schema } }],
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
      },
    })
    // What is Anthropic's alone stays here.
    expect(stage.upstream.requests.at(-1)?.headers).not.toHaveProperty('anthropic-version')
  })

  test('a conversation with pictures, calls of tools and their results', async () => {
    await client.messages.create({
      ...hello,
      tools: [WEATHER],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'A cat.' },
            { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'Snow', is_error: false },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
    })
    expect(sentBody()?.messages).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: 'A cat.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Snow' },
      { role: 'user', content: 'And now?' },
    ])
  })

  test.each([
    [1_024, 'low'],
    [10_000, 'medium'],
    [31_999, 'high'],
  ])('%d tokens to think with are an effort', async (budget, effort) => {
    await client.messages.create(
      asParams({ max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: budget } }),
      // Without it, the library wants so long an answer to be streamed.
      { timeout: 10_000 },
    )
    expect(sentBody()?.reasoning_effort).toBe(effort)
  })

  test('not to think is said to nobody', async () => {
    const { response } = await client.messages
      .create(asParams({ thinking: { type: 'disabled' } }))
      .withResponse()
    expect(sentBody()).not.toHaveProperty('reasoning_effort')
    expect(response.headers.get('x-goldweight-warnings')).toBe('not passed on: thinking')
  })

  test('a document as a text, and one as a PDF', async () => {
    await client.messages.create({
      ...hello,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'Once upon a time' },
            },
            {
              type: 'document',
              title: 'book.pdf',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' },
            },
          ],
        },
      ],
    })
    expect(JSON.stringify(sentBody()?.messages)).toContain('Once upon a time')
    expect(JSON.stringify(sentBody()?.messages)).toContain('data:application/pdf;base64,JVBERi0xLjQK')
  })
})

describe('what can not be carried over is refused in this dialect', () => {
  test.each([
    ['top_k', { top_k: 5 }],
    ['container', { container: 'c' }],
    ['tools.0.type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ])('%s', async (field, body) => {
    const error = await errorOf(client.messages.create(asParams(body)))
    expect(error.status).toBe(400)
    expect(error.error).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(`${field}: `) },
      request_id: expect.stringMatching(/^req_/),
    })
    expect(stage.upstream.requests).toEqual([])
    await stage.expectFree()
  })
})

describe('answers', () => {
  test('a text', async () => {
    stage.upstream.respond((_request, response) => sendJson(response, chatReply('Hello!', { usage: USAGE })))
    expect(await client.messages.create(hello)).toMatchObject({
      id: expect.stringMatching(/^msg_req_/),
      type: 'message',
      model: PUBLIC_MODEL,
      content: [{ type: 'text', text: 'Hello!' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 8,
        cache_creation_input_tokens: 2,
        output_tokens: 7,
      },
    })
    await stage.expectCharged(10, 8, 2, 7)
    expect(await stage.lastRecord()).toMatchObject({ endpoint: 'messages' })
  })

  test('a stream, as the official library gathers it', async () => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [...STREAM, usageChunk(USAGE), '[DONE]'])
      response.end()
    })
    const message = await client.messages.stream({ ...hello, tools: [WEATHER] }).finalMessage()
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Which city?' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Rome' } },
    ])
    expect(message).toMatchObject({
      model: PUBLIC_MODEL,
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, cache_read_input_tokens: 8, output_tokens: 7 },
    })
    await stage.expectCharged(10, 8, 2, 7)
  })

  test('what was thought can be sent back', async () => {
    stage.upstream.respond((_request, response) => sendJson(response, chatReply('Hello!')))
    await client.messages.create({
      ...hello,
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Which city?', signature: '' },
            { type: 'text', text: 'Oslo?' },
          ],
        },
        { role: 'user', content: 'Yes' },
      ],
    })
    expect(sentBody()?.messages).toMatchObject([{}, { role: 'assistant', content: 'Oslo?' }, {}])
  })

  test.each(STREAM.map((_chunk, index) => index))('a stream that is cut after %d events', async count => {
    stage.upstream.respond((_request, response) => {
      beginSse(response)
      response.write(STREAM.slice(0, count).map(event).join(''), () =>
        setTimeout(() => response.destroy(), 20),
      )
    })
    const response = await fetch(`${stage.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': stage.caller.token, 'content-type': 'application/json' },
      body: JSON.stringify({ ...hello, stream: true }),
    })
    const text = await response.text()
    if (response.status === 200) {
      expect(namedEventsOf(text).at(-1)).toMatchObject({
        name: 'error',
        data: { type: 'error', error: { type: 'api_error' }, request_id: expect.any(String) },
      })
      expect(text).not.toContain('message_stop')
    } else {
      expect(count).toBeLessThan(2)
      expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'api_error' } })
    }
    await stage.expectFree()
  })

  test('a client that leaves pays for what it has', async () => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, STREAM.slice(0, 4))
    })
    const stream = client.messages.stream(hello)
    await new Promise<void>(resolve => {
      stream.on('text', () => resolve())
      stream.on('abort', () => {})
    })
    stream.abort()
    await eventually(async () =>
      expect(await stage.lastRecord()).toMatchObject({ status: 'cancelled', usage_source: 'estimate' }),
    )
    expect((await stage.lastRecord()).credits).toBeGreaterThan(0)
  })

  test('upstreams that throttle are throttling in this dialect', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'slow down', type: 'requests' } }, 429, { 'retry-after': '7' }),
    )
    const error = await errorOf(client.messages.create(hello))
    expect(error.status).toBe(429)
    expect(error.headers?.get('retry-after')).toBe('7')
    expect(error.error).toMatchObject({ error: { type: 'rate_limit_error' } })
  })
})
