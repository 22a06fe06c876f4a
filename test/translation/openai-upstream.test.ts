/** Anthropic's Messages in, OpenAI's chat completions out: the official Anthropic library before any compatible server. */
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PUBLIC_MODEL, startTranslatedStage, type TranslatedStage } from '#test/support/translated-stage.ts'
import { beginSse, chatChunk, chatReply, sendJson, usageChunk } from '#test/support/upstream.ts'
import { PIXEL, sentTo } from './chat-calls.ts'

const USAGE = {
  prompt_tokens: 1020,
  completion_tokens: 7,
  total_tokens: 1027,
  prompt_tokens_details: { cached_tokens: 1000 },
}

const HELLO = {
  model: PUBLIC_MODEL,
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hi' }],
} satisfies Anthropic.MessageCreateParamsNonStreaming

/** Newer models take no such settings, and the library's types know none; others do. */
const asParams = (settings: object) => settings as Partial<Anthropic.MessageCreateParamsNonStreaming>

const TOOL = {
  name: 'weather',
  description: 'Tells the weather',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
}

async function start(kind: string): Promise<{ stage: TranslatedStage; anthropic: Anthropic }> {
  const stage = await startTranslatedStage({
    kind,
    credential: 'a-secret-key',
    upstreamModel: 'upstream-model',
  })
  const anthropic = new Anthropic({
    apiKey: stage.caller.token,
    baseURL: stage.gateway.url,
    maxRetries: 0,
  })
  return { stage, anthropic }
}

let stage: TranslatedStage
let anthropic: Anthropic
beforeAll(async () => {
  ;({ stage, anthropic } = await start('openai'))
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.requests.length = 0
})

describe('what is sent', () => {
  beforeEach(() => {
    stage.upstream.respond((_request, response) => sendJson(response, chatReply('Hello!', { usage: USAGE })))
  })

  test('a question with its settings, in OpenAI’s words', async () => {
    await anthropic.messages.create({
      ...HELLO,
      system: 'Be brief.',
      ...asParams({ temperature: 0.5 }),
      stop_sequences: ['END'],
      tools: [TOOL],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      metadata: { user_id: 'u-1' },
    })
    expect(sentTo(stage)).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer a-secret-key', 'user-agent': 'goldweight' },
      body: {
        model: 'upstream-model',
        max_completion_tokens: 100,
        temperature: 0.5,
        stop: ['END'],
        user: 'u-1',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        tools: [{ type: 'function', function: { name: 'weather', description: 'Tells the weather' } }],
        tool_choice: 'required',
        parallel_tool_calls: false,
      },
    })
  })

  test('pictures, calls of tools and their results', async () => {
    await anthropic.messages.create({
      ...HELLO,
      tools: [TOOL],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            { type: 'text', text: 'Where is this?' },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Snow' }] },
      ],
    })
    expect(sentTo(stage).body.messages).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'text', text: 'Where is this?' },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [{ id: 'toolu_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'Snow' },
    ])
  })

  test('what has no word there is refused, and nothing is sent', async () => {
    await expect(anthropic.messages.create({ ...HELLO, ...asParams({ top_k: 5 }) })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('top_k: '),
    })
    expect(stage.upstream.requests).toEqual([])
  })
})

describe('what is read', () => {
  test('a whole answer, charged by OpenAI’s counting', async () => {
    stage.upstream.respond((_request, response) => sendJson(response, chatReply('Hello!', { usage: USAGE })))
    expect(await anthropic.messages.create(HELLO)).toMatchObject({
      type: 'message',
      model: PUBLIC_MODEL,
      content: [{ type: 'text', text: 'Hello!' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 20, cache_read_input_tokens: 1000, output_tokens: 7 },
    })
    await stage.expectCharged(20, 1000, 0, 7)
  })

  test('a stream with reasoning, a text and calls of tools that come in pieces', async () => {
    const call = (extra: object) => chatChunk({ tool_calls: [{ index: 0, ...extra }] })
    stage.upstream.respond((_request, response) => {
      beginSse(response, [
        chatChunk({ role: 'assistant', reasoning_content: 'Hm.' }),
        chatChunk({ content: 'Let me ' }),
        chatChunk({ content: 'see.' }),
        call({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }),
        call({ function: { arguments: '{"city":' } }),
        call({ function: { arguments: '"Oslo"}' } }),
        chatChunk({}, 'tool_calls'),
        usageChunk(USAGE),
        '[DONE]',
      ])
      response.end()
    })
    const message = await anthropic.messages.stream({ ...HELLO, tools: [TOOL] }).finalMessage()
    expect(message.content.filter(block => block.type !== 'thinking')).toMatchObject([
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
    ])
    expect(message.stop_reason).toBe('tool_use')
    expect(sentTo(stage).body.stream_options).toEqual({ include_usage: true })
    await stage.expectCharged(20, 1000, 0, 7)
  })

  test.each([
    [
      'an error within it',
      (write: (data: (string | object)[]) => void) => write([{ error: { message: 'x', code: 500 } }]),
    ],
    ['its end before a finish reason', () => {}],
  ])('a stream with %s is no answer, and costs nothing', async (_name, breakOff) => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [chatChunk({ content: 'Hello' })])
      breakOff(data => {
        for (const item of data) response.write(`data: ${JSON.stringify(item)}\n\n`)
      })
      response.end()
    })
    await expect(anthropic.messages.stream(HELLO).finalMessage()).rejects.toThrow()
    await stage.expectFree()
  })
})

test('each server is asked in its own words', async () => {
  for (const [kind, expected] of [
    ['groq', { max_tokens: 100, stream_options: { include_usage: true } }],
    ['mistral', { max_tokens: 100 }],
    ['openrouter', { messages: [{ content: [{ cache_control: { type: 'ephemeral' } }, {}] }] }],
  ] as const) {
    const other = await start(kind)
    other.stage.upstream.respond((_request, response) => {
      beginSse(response, [
        chatChunk({ content: 'Hello' }),
        chatChunk({}, 'stop'),
        usageChunk(USAGE),
        '[DONE]',
      ])
      response.end()
    })
    await other.anthropic.messages
      .stream({
        ...HELLO,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Book', cache_control: { type: 'ephemeral' } },
              { type: 'text', text: 'Question' },
            ],
          },
        ],
      })
      .finalMessage()
    expect(sentTo(other.stage).body, kind).toMatchObject(expected)
    expect('stream_options' in sentTo(other.stage).body).toBe(kind !== 'mistral')
    await other.stage.close()
  }
})

test('usage that Groq reports beside its own request id is found', async () => {
  const other = await start('groq')
  other.stage.upstream.respond((_request, response) => {
    const last = { ...chatChunk({}, 'stop'), x_groq: { id: 'req_1', usage: USAGE } }
    beginSse(response, [chatChunk({ content: 'Hello' }), last, '[DONE]'])
    response.end()
  })
  await other.anthropic.messages.stream(HELLO).finalMessage()
  await other.stage.expectCharged(20, 1000, 0, 7)
  await other.stage.close()
})
