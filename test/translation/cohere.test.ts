/** OpenAI chat in, Cohere's chat (version 2) out: https://docs.cohere.com/v2/reference/chat (2026-11). */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiErrorOf, startTranslatedStage, type TranslatedStage } from '#test/support/translated-stage.ts'
import { sendJson } from '#test/support/upstream.ts'
import {
  ask,
  askStreamed,
  HELLO,
  PIXEL,
  PLACE_FORMAT,
  PLACE_SCHEMA,
  sentTo,
  TOOL_TURNS,
  WEATHER_TOOL,
} from './chat-calls.ts'
import { describeFailures } from './failures.ts'

const USAGE = {
  billed_units: { input_tokens: 20, output_tokens: 7 },
  tokens: { input_tokens: 220, output_tokens: 9 },
}

const reply = (message: object, finishReason = 'COMPLETE') => ({
  id: 'gen_1',
  finish_reason: finishReason,
  message: { role: 'assistant', ...message },
  usage: USAGE,
})

const says = (text: string) => ({ content: [{ type: 'text', text }] })

function write(response: ServerResponse, events: readonly object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    response.write(`event: ${'type' in event ? event.type : 'x'}\ndata: ${JSON.stringify(event)}\n\n`)
  }
}

const START = { type: 'message-start', id: 'gen_1', delta: { message: { role: 'assistant' } } }
const text = (words: readonly string[]) => [
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  ...words.map(word => ({
    type: 'content-delta',
    index: 0,
    delta: { message: { content: { text: word } } },
  })),
  { type: 'content-end', index: 0 },
]
const end = (finishReason = 'COMPLETE') => ({
  type: 'message-end',
  delta: { finish_reason: finishReason, usage: USAGE },
})

let stage: TranslatedStage
beforeAll(async () => {
  stage = await startTranslatedStage({
    kind: 'cohere',
    credential: 'cohere-secret-key',
    upstreamModel: 'command-a-03-2025',
    basePath: '/v2',
  })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.requests.length = 0
})

function answerWith(message: object, finishReason?: string): void {
  stage.upstream.respond((_request, response) => sendJson(response, reply(message, finishReason)))
}

describe('what is sent', () => {
  beforeEach(() => answerWith(says('Hello!')))

  test('a plain question', async () => {
    await ask(stage, {
      messages: [{ role: 'system', content: 'Be brief.' }, ...HELLO.messages],
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      seed: 3,
      stop: ['END'],
      presence_penalty: 0.2,
      frequency_penalty: 0.1,
    })
    expect(sentTo(stage)).toMatchObject({
      path: '/v2/chat',
      headers: { authorization: 'Bearer cohere-secret-key', 'user-agent': 'goldweight' },
      body: {
        model: 'command-a-03-2025',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        max_tokens: 50,
        temperature: 0.5,
        p: 0.9,
        k: 5,
        seed: 3,
        stop_sequences: ['END'],
        presence_penalty: 0.2,
        frequency_penalty: 0.1,
      },
    })
  })

  test('pictures', async () => {
    await ask(stage, {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look:' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } },
          ],
        },
      ],
    })
    expect(sentTo(stage).body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } },
        ],
      },
    ])
  })

  test('tools, calls and results, and what was said before the calls', async () => {
    await ask(stage, { tools: [WEATHER_TOOL], tool_choice: 'required', messages: TOOL_TURNS })
    expect(sentTo(stage).body).toMatchObject({
      tools: [{ type: 'function', function: WEATHER_TOOL.function }],
      tool_choice: 'REQUIRED',
      messages: [
        { role: 'user' },
        { role: 'assistant', content: 'Let me see.' },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            { id: 'call_2', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Snow' },
        { role: 'tool', tool_call_id: 'call_2' },
      ],
    })
  })

  test('a JSON schema, and how hard to think', async () => {
    await ask(stage, { response_format: PLACE_FORMAT, reasoning_effort: 'low' })
    expect(sentTo(stage).body).toMatchObject({
      response_format: { type: 'json_object', json_schema: PLACE_SCHEMA },
      thinking: { type: 'enabled', token_budget: expect.any(Number) },
    })
  })

  test('what goes unused is told', async () => {
    const { response } = await stage.client.chat.completions
      .create({
        model: HELLO.model,
        user: 'u-1',
        messages: [
          {
            role: 'user',
            content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } } as never],
          },
        ],
      })
      .withResponse()
    expect(response.headers.get('x-goldweight-warnings')).toBe(
      'not passed on: user; not passed on: cache breakpoints',
    )
  })
})

describe('what can not be carried over is refused by name, and nothing is sent', () => {
  test.each([
    ['parallel_tool_calls', { tools: [WEATHER_TOOL], parallel_tool_calls: false }],
    [
      'messages.0.content.0.file.file_data',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0xLjQK' } }],
          },
        ],
      },
    ],
  ])('%s', async (field, extra) => {
    const error = await apiErrorOf(ask(stage, extra))
    expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter' })
    expect(error.message).toContain(`${field}: `)
    expect(stage.upstream.requests).toEqual([])
  })
})

describe('answers', () => {
  test('a text, charged by billed units', async () => {
    answerWith({ content: [{ type: 'thinking', thinking: 'Hm.' }, ...says('Hello!').content] })
    expect(await ask(stage)).toMatchObject({
      choices: [{ message: { content: 'Hello!', reasoning_content: 'Hm.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 20, completion_tokens: 7 },
    })
    await stage.expectCharged(20, 0, 0, 7)
  })

  test('calls of tools', async () => {
    answerWith(
      {
        tool_plan: 'I will look.',
        tool_calls: [
          { id: 'c_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      'TOOL_CALL',
    )
    expect(await ask(stage, { tools: [WEATHER_TOOL] })).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ id: 'c_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    })
  })

  test.each([
    ['STOP_SEQUENCE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['TIMEOUT', 'TIMEOUT'],
  ])('%s is told as %s', async (finishReason, told) => {
    answerWith(says('Well'), finishReason)
    expect((await ask(stage)).choices[0]?.finish_reason).toBe(told)
  })

  test('an answer that ended in an error is a failure', async () => {
    answerWith(says('We'), 'ERROR')
    expect(await apiErrorOf(ask(stage))).toMatchObject({ status: 502, type: 'upstream_error' })
    await stage.expectFree()
  })

  test('a stream with a call of a tool', async () => {
    const call = { id: 'c_1', type: 'function', function: { name: 'weather', arguments: '' } }
    stage.upstream.respond((_request, response) => {
      write(response, [
        START,
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will look.' } } },
        { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: call } } },
        {
          type: 'tool-call-delta',
          index: 0,
          delta: { message: { tool_calls: { function: { arguments: '{"city":' } } } },
        },
        {
          type: 'tool-call-delta',
          index: 0,
          delta: { message: { tool_calls: { function: { arguments: '"Oslo"}' } } } },
        },
        { type: 'tool-call-end', index: 0 },
        end('TOOL_CALL'),
      ])
      response.end()
    })
    expect(await askStreamed(stage, { tools: [WEATHER_TOOL] })).toMatchObject({
      toolCalls: [{ id: 'c_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
      finishReasons: ['tool_calls'],
      usage: { prompt_tokens: 20, completion_tokens: 7 },
    })
    await stage.expectCharged(20, 0, 0, 7)
  })
})

describeFailures(() => stage, {
  errorBody: (_type, message) => ({ message }),
  answer: response => sendJson(response, reply(says('Hello!'))),
  begin: response => write(response, [START]),
  content: (response, words) => write(response, text([words])),
  finish: response => write(response, [end()]),
  error: (response, { message }) =>
    write(response, [
      { type: 'message-end', delta: { finish_reason: 'ERROR', error: message, usage: USAGE } },
    ]),
  overloaded: 'ERROR',
})
