/** OpenAI chat in, Anthropic's Messages out: what is sent, what is read, what it costs, and every way to fail. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  apiErrorOf,
  collectStream,
  PUBLIC_MODEL,
  startTranslatedStage,
  type TranslatedStage,
} from '#test/support/translated-stage.ts'
import { sendJson } from '#test/support/upstream.ts'
import {
  ANTHROPIC_USAGE,
  anthropicBlock,
  anthropicEnd,
  anthropicMessage,
  anthropicStart,
  anthropicText,
  writeAnthropicEvents,
} from './anthropic-wire.ts'
import { describeFailures } from './failures.ts'

let stage: TranslatedStage
beforeAll(async () => {
  stage = await startTranslatedStage({
    kind: 'anthropic',
    credential: 'sk-ant-secret-key',
    upstreamModel: 'claude-sonnet-4-5',
  })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.requests.length = 0
})

const hello = { model: PUBLIC_MODEL, messages: [{ role: 'user' as const, content: 'Hi' }] }
function sent() {
  const request = stage.upstream.requests.at(-1)
  if (!request) throw new Error('Nothing was sent')
  return request
}
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WEATHER_TOOL = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'Tells the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

function answerWith(content: readonly object[], more?: Parameters<typeof anthropicMessage>[1]): void {
  stage.upstream.respond((_request, response) => sendJson(response, anthropicMessage(content, more)))
}

function streamWith(events: Parameters<typeof writeAnthropicEvents>[1]): void {
  stage.upstream.respond((_request, response) => {
    writeAnthropicEvents(response, events)
    response.end()
  })
}

async function streamed(extra: object = {}) {
  const stream = await stage.client.chat.completions.create({
    ...hello,
    ...extra,
    stream: true,
    stream_options: { include_usage: true },
  })
  return collectStream(stream)
}

type ChatParams = Parameters<typeof stage.client.chat.completions.create>[0]
/** A body with members that the library's types do not know. */
const asParams = (body: object) => body as ChatParams & { stream?: false }

describe('what is sent', () => {
  beforeEach(() => answerWith([{ type: 'text', text: 'Hello!' }]))

  test('a plain question, with our credential and nobody else’s', async () => {
    await stage.client.chat.completions.create({ ...hello, max_tokens: 50, temperature: 0.5, stop: ['END'] })
    expect(sent()).toMatchObject({
      path: '/v1/messages',
      headers: {
        'x-api-key': 'sk-ant-secret-key',
        'anthropic-version': '2023-06-01',
        'user-agent': 'goldweight',
        'accept-encoding': 'identity',
      },
      body: {
        model: 'claude-sonnet-4-5',
        max_tokens: 50,
        temperature: 0.5,
        stop_sequences: ['END'],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      },
    })
    expect(sent().headers.authorization).toBeUndefined()
  })

  test('system messages, wherever they stand', async () => {
    await stage.client.chat.completions.create({
      model: PUBLIC_MODEL,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: 'Hi' },
      ],
    })
    expect(sent().body).toMatchObject({
      system: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Be kind.' },
      ],
    })
  })

  test('pictures as data and by address, and documents', async () => {
    await stage.client.chat.completions.create({
      model: PUBLIC_MODEL,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            { type: 'image_url', image_url: { url: 'https://example.org/cat.jpg' } },
            {
              type: 'file',
              file: { file_data: 'data:application/pdf;base64,JVBERi0xLjQK', filename: 'a.pdf' },
            },
          ],
        },
      ],
    })
    expect(sent().body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
          { type: 'image', source: { type: 'url', url: 'https://example.org/cat.jpg' } },
          expect.objectContaining({
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' },
          }),
        ],
      },
    ])
  })

  test('a picture of many megabytes, byte for byte', async () => {
    const data = Buffer.alloc(6_000_000, 'picture').toString('base64')
    await stage.client.chat.completions.create({
      model: PUBLIC_MODEL,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is "this"?\n' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
          ],
        },
      ],
    })
    const [message] = sent().body.messages as [{ content: { source: { data: string } }[] }]
    expect(message.content[1]?.source.data === data).toBe(true)
  })

  test('tools, calls that were made at once, and their results', async () => {
    await stage.client.chat.completions.create({
      model: PUBLIC_MODEL,
      tools: [WEATHER_TOOL],
      tool_choice: 'required',
      parallel_tool_calls: false,
      messages: [
        { role: 'user', content: 'Oslo or Rome?' },
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Snow' },
        { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'Sun' }] },
      ],
    })
    expect(sent().body).toMatchObject({
      tools: [
        {
          name: 'weather',
          description: 'Tells the weather',
          input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
            { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'Snow' },
            { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'Sun' }] },
          ],
        },
      ],
    })
  })

  test('one named tool', async () => {
    await stage.client.chat.completions.create({
      ...hello,
      tools: [WEATHER_TOOL],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    })
    expect(sent().body.tool_choice).toEqual({ type: 'tool', name: 'weather' })
  })

  test('a JSON schema for the answer', async () => {
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }
    await stage.client.chat.completions.create({
      ...hello,
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } },
    })
    expect(sent().body.output_config).toEqual({ format: { type: 'json_schema', schema } })
  })

  test('how hard to think', async () => {
    await stage.client.chat.completions.create({ ...hello, reasoning_effort: 'low', max_tokens: 1000 })
    expect(sent().body.thinking).toMatchObject({ type: 'enabled', budget_tokens: expect.any(Number) })
  })

  test('cache marks on system, text, tools and results, with their lives', async () => {
    await stage.client.chat.completions.create(
      asParams({
        model: PUBLIC_MODEL,
        tools: [{ ...WEATHER_TOOL, cache_control: { type: 'ephemeral', ttl: '1h' } }],
        messages: [
          {
            role: 'system',
            content: [{ type: 'text', text: 'Rules', cache_control: { type: 'ephemeral' } }],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Book', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
              { type: 'text', text: 'Question' },
            ],
          },
        ],
      }),
    )
    expect(sent().body).toMatchObject({
      tools: [{ cache_control: { type: 'ephemeral', ttl: '1h' } }],
      system: [{ type: 'text', text: 'Rules', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          content: [
            // Half an hour is not to be had: the next longer life is.
            { type: 'text', text: 'Book', cache_control: { type: 'ephemeral', ttl: '1h' } },
            { type: 'text', text: 'Question' },
          ],
        },
      ],
    })
  })

  test('who asks', async () => {
    await stage.client.chat.completions.create({ ...hello, user: 'user-7' })
    expect(sent().body.metadata).toEqual({ user_id: 'user-7' })
  })

  test('settings that say nothing are no obstacle, and what goes unused is told', async () => {
    const { response } = await stage.client.chat.completions
      .create({
        ...hello,
        n: 1,
        logprobs: false,
        logit_bias: {},
        presence_penalty: 0,
        frequency_penalty: 0,
        modalities: ['text'],
        store: false,
        service_tier: 'auto',
        metadata: { team: 'blue' },
        prompt_cache_key: 'k',
      })
      .withResponse()
    expect(response.headers.get('x-goldweight-warnings')).toBe(
      'not passed on: metadata; not passed on: prompt_cache_key',
    )
  })
})

describe('what can not be carried over is refused by name, and nothing is sent', () => {
  const text = { role: 'user', content: 'Hi' }
  const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
  test.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['logit_bias', { logit_bias: { 50256: -100 } }],
    ['seed', { seed: 1 }],
    ['presence_penalty', { presence_penalty: 0.5 }],
    ['frequency_penalty', { frequency_penalty: 0.5 }],
    ['temperature', { temperature: 1.5 }],
    ['modalities', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }],
    ['audio', { audio: { voice: 'alloy', format: 'wav' } }],
    ['prediction', { prediction: { type: 'content', content: 'x' } }],
    ['store', { store: true }],
    ['service_tier', { service_tier: 'priority' }],
    ['verbosity', { verbosity: 'low' }],
    ['web_search_options', { web_search_options: {} }],
    ['functions', { functions: [{ name: 'f', parameters: {} }] }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['chat_template_kwargs', { chat_template_kwargs: { enable_thinking: true } }],
    ['constructor', { constructor: 1 }],
    ['messages.0.name', { messages: [{ ...text, name: 'Ada' }] }],
    ['messages.0.content.0.input_audio', { messages: [{ role: 'user', content: [audio] }] }],
    [
      'messages.0.content.0.file.file_id',
      {
        messages: [
          { role: 'user', content: [{ type: 'file', file: { file_id: 'file-1', file_data: 'x' } }] },
        ],
      },
    ],
  ])('%s', async (field, extra) => {
    const error = await apiErrorOf(stage.client.chat.completions.create(asParams({ ...hello, ...extra })))
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
    })
    expect(error.message).toContain(`${field}: `)
    expect(stage.upstream.requests).toEqual([])
    await stage.expectFree()
  })

  test.each([
    ['tools.0.type', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
    [
      'tool_choice.type',
      { tools: [WEATHER_TOOL], tool_choice: { type: 'allowed_tools', allowed_tools: {} } },
    ],
    ['tool_choice', { tool_choice: 'required' }],
    ['messages.0.content.0.type', { messages: [{ role: 'user', content: [{ type: 'video_url' }] }] }],
    [
      'messages.0.content.0.image_url.url',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] },
        ],
      },
    ],
    ['messages.1.tool_call_id', { messages: [text, { role: 'tool', tool_call_id: 'call_9', content: 'x' }] }],
    [
      'messages.0.tool_calls.0.function.arguments',
      {
        messages: [
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"half' } }],
          },
        ],
      },
    ],
  ])('%s, of a shape that means nothing', async (field, extra) => {
    const error = await apiErrorOf(stage.client.chat.completions.create(asParams({ ...hello, ...extra })))
    expect(error.status).toBe(400)
    expect(error.message).toContain(`${field}: `)
    expect(stage.upstream.requests).toEqual([])
  })

  test('a setting that the model itself refuses, which the package would leave out', async () => {
    answerWith([{ type: 'text', text: 'never' }])
    // Thinking excludes a temperature.
    const call = stage.client.chat.completions.create({
      ...hello,
      temperature: 0.5,
      reasoning_effort: 'high',
    })
    const error = await apiErrorOf(call)
    expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter' })
    expect(error.message).toContain('temperature: ')
    expect(stage.upstream.requests).toEqual([])
  })
})

describe('whole answers', () => {
  test('a text', async () => {
    answerWith([{ type: 'text', text: 'Hello!' }])
    const answer = await stage.client.chat.completions.create(hello)
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-req_/),
      object: 'chat.completion',
      model: PUBLIC_MODEL,
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hello!', refusal: null }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
    })
    await stage.expectCharged(20, 0, 0, 7)
  })

  test('what was read from a cache and written into it is charged as such', async () => {
    const usage = {
      ...ANTHROPIC_USAGE,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
    }
    answerWith([{ type: 'text', text: 'Hello!' }], { usage })
    const answer = await stage.client.chat.completions.create(hello)
    expect(answer.usage).toMatchObject({
      prompt_tokens: 1320,
      total_tokens: 1327,
      prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 300 },
    })
    await stage.expectCharged(20, 1000, 300, 7, 200)
  })

  test('calls of tools, with the reasoning before them, which comes back in the next turn', async () => {
    answerWith(
      [
        { type: 'thinking', thinking: 'Two cities.', signature: 'signed-by-upstream' },
        { type: 'redacted_thinking', data: 'encrypted-by-upstream' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Rome' } },
      ],
      { stopReason: 'tool_use' },
    )
    const question = { ...hello, tools: [WEATHER_TOOL] }
    const { choices } = await stage.client.chat.completions.create(question)
    const [choice] = choices
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Let me see.',
        reasoning_content: 'Two cities.',
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'toolu_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
        ],
      },
    })
    if (!choice) throw new Error('There is a choice')
    answerWith([{ type: 'text', text: 'Rome.' }])
    await stage.client.chat.completions.create({
      ...question,
      reasoning_effort: 'low',
      messages: [
        ...hello.messages,
        choice.message,
        { role: 'tool', tool_call_id: 'toolu_1', content: 'Snow' },
        { role: 'tool', tool_call_id: 'toolu_2', content: 'Sun' },
      ],
    })
    const [, assistant] = sent().body.messages as [object, object]
    expect(assistant).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two cities.', signature: 'signed-by-upstream' },
        { type: 'redacted_thinking', data: 'encrypted-by-upstream' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1' },
        { type: 'tool_use', id: 'toolu_2' },
      ],
    })
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['compaction', 'compaction'],
    ['something_new', 'something_new'],
  ])('%s is told as %s', async (stopReason, finishReason) => {
    answerWith([{ type: 'text', text: 'Well' }], { stopReason })
    const { choices } = await stage.client.chat.completions.create(hello)
    expect(choices[0]?.finish_reason).toBe(finishReason)
  })

  test('pages that a text cites', async () => {
    answerWith([
      {
        type: 'text',
        text: 'It rains.',
        citations: [
          {
            type: 'web_search_result_location',
            cited_text: 'Rain',
            url: 'https://example.org/rain',
            title: 'Rain',
            encrypted_index: 'x',
          },
        ],
      },
    ])
    const { choices } = await stage.client.chat.completions.create(hello)
    expect(choices[0]?.message.annotations).toEqual([
      {
        type: 'url_citation',
        url_citation: expect.objectContaining({ url: 'https://example.org/rain', title: 'Rain' }),
      },
    ])
  })

  test('an answer that reports no usage is estimated', async () => {
    answerWith([{ type: 'text', text: 'Hello there, how are you today?' }], {
      usage: { input_tokens: 0, output_tokens: 0 },
    })
    await stage.client.chat.completions.create(hello)
    const { usage_source, usage } = await stage.lastRecord()
    expect(usage_source).toBe('estimate')
    expect(usage.output).toBeGreaterThan(4)
  })
})

describe('streams', () => {
  test('a text, with the usage merged from the first event and the last', async () => {
    streamWith([
      anthropicStart({
        input_tokens: 20,
        output_tokens: 1,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 300,
      }),
      { type: 'ping' },
      ...anthropicText(0, ['Hel', 'lo!']),
      ...anthropicEnd('end_turn', { output_tokens: 7 }),
    ])
    expect(await streamed()).toMatchObject({
      text: 'Hello!',
      finishReasons: ['stop'],
      usage: { prompt_tokens: 1320, completion_tokens: 7 },
      models: new Set([PUBLIC_MODEL]),
    })
    await stage.expectCharged(20, 1000, 300, 7)
  })

  test('counts of the last event stand in the place of those of the first', async () => {
    streamWith([
      anthropicStart({ input_tokens: 0, output_tokens: 0 }),
      ...anthropicText(0, ['Hello!']),
      ...anthropicEnd('end_turn', { input_tokens: 44, output_tokens: 7 }),
    ])
    await streamed()
    await stage.expectCharged(44, 0, 0, 7)
  })

  test('reasoning with its signature, and calls of tools that come in pieces', async () => {
    streamWith([
      anthropicStart(),
      ...anthropicBlock(0, { type: 'thinking', thinking: '', signature: '' }, [
        { type: 'thinking_delta', thinking: 'Two ' },
        { type: 'thinking_delta', thinking: 'cities.' },
        { type: 'signature_delta', signature: 'signed-by-upstream' },
      ]),
      ...anthropicBlock(1, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }, [
        { type: 'input_json_delta', partial_json: '' },
        { type: 'input_json_delta', partial_json: '{"city":' },
        { type: 'input_json_delta', partial_json: '"Oslo"}' },
      ]),
      ...anthropicBlock(2, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }, []),
      ...anthropicEnd('tool_use'),
    ])
    const answer = await streamed({ tools: [WEATHER_TOOL] })
    expect(answer).toMatchObject({
      reasoning: 'Two cities.',
      toolCalls: [
        { id: 'toolu_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { id: 'toolu_2', name: 'now', arguments: '{}' },
      ],
      finishReasons: ['tool_calls'],
    })
    answerWith([{ type: 'text', text: 'Snow.' }])
    await stage.client.chat.completions.create(
      asParams({
        ...hello,
        tools: [WEATHER_TOOL],
        reasoning_effort: 'low',
        messages: [
          ...hello.messages,
          {
            role: 'assistant',
            reasoning_content: answer.reasoning,
            reasoning_details: answer.reasoningDetails,
            tool_calls: [
              {
                id: 'toolu_1',
                type: 'function',
                function: { name: 'weather', arguments: '{"city":"Oslo"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'toolu_1', content: 'Snow' },
        ],
      }),
    )
    const [, assistant] = sent().body.messages as [object, object]
    expect(assistant).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Two cities.', signature: 'signed-by-upstream' },
        { type: 'tool_use', id: 'toolu_1' },
      ],
    })
  })

  test('an event of a kind that nobody knows yet is passed over', async () => {
    streamWith([
      anthropicStart(),
      { type: 'content_block_delta', index: 0, delta: { type: 'novel_delta', novelty: 1 } },
      ...anthropicText(0, ['Hello!']),
      ...anthropicEnd(),
    ])
    expect(await streamed()).toMatchObject({ text: 'Hello!', finishReasons: ['stop'] })
  })

  test('one who asked for no usage sees none', async () => {
    streamWith([anthropicStart(), ...anthropicText(0, ['Hello!']), ...anthropicEnd()])
    const stream = await stage.client.chat.completions.create({ ...hello, stream: true })
    for await (const chunk of stream) expect('usage' in chunk).toBe(false)
    await stage.expectCharged(20, 0, 0, 7)
  })
})

describeFailures(() => stage, {
  errorBody: (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_upstream' }),
  answer: response => sendJson(response, anthropicMessage([{ type: 'text', text: 'Hello!' }])),
  begin: response => writeAnthropicEvents(response, [anthropicStart()]),
  content: (response, text) => writeAnthropicEvents(response, anthropicText(0, [text])),
  finish: response => writeAnthropicEvents(response, anthropicEnd()),
  error: (response, { type, message }) =>
    writeAnthropicEvents(response, [{ type: 'error', error: { type, message } }]),
  overloaded: 'overloaded_error',
})
