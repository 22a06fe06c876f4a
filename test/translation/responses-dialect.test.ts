/** OpenAI's Responses in, Anthropic's Messages out, with the official library as the caller. */
import type OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { namedEventsOf } from '#test/support/dialects.ts'
import {
  apiErrorOf,
  PUBLIC_MODEL,
  startTranslatedStage,
  type TranslatedStage,
} from '#test/support/translated-stage.ts'
import { sendJson } from '#test/support/upstream.ts'
import {
  anthropicBlock,
  anthropicEnd,
  anthropicMessage,
  anthropicStart,
  anthropicText,
  writeAnthropicEvents,
} from './anthropic-wire.ts'

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

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming
const hello = { model: PUBLIC_MODEL, input: 'Hi' }
/** A body with members that the library's types do not know. */
const asParams = (body: object) => body as Params
const create = (extra: object = {}) => stage.client.responses.create(asParams({ ...hello, ...extra }))

const WEATHER = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: null,
}
const PIXEL = 'iVBORw0KGgo='

function answerWith(content: readonly object[], more?: Parameters<typeof anthropicMessage>[1]): void {
  stage.upstream.respond((_request, response) => sendJson(response, anthropicMessage(content, more)))
}

function streamWith(events: Parameters<typeof writeAnthropicEvents>[1]): void {
  stage.upstream.respond((_request, response) => {
    writeAnthropicEvents(response, events)
    response.end()
  })
}

const sentBody = () => stage.upstream.requests.at(-1)?.body

describe('what is sent', () => {
  beforeEach(() => answerWith([{ type: 'text', text: 'Hello!' }]))

  test('instructions, input and settings', async () => {
    await create({
      instructions: 'Be brief.',
      max_output_tokens: 50,
      temperature: 0.5,
      safety_identifier: 'user-7',
    })
    expect(sentBody()).toMatchObject({
      model: 'claude-sonnet-4-5',
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      max_tokens: 50,
      temperature: 0.5,
      metadata: { user_id: 'user-7' },
    })
  })

  test('items of every kind that can be said', async () => {
    await create({
      tools: [WEATHER],
      tool_choice: { type: 'function', name: 'weather' },
      parallel_tool_calls: false,
      input: [
        { role: 'developer', content: 'Rules' },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
            {
              type: 'input_file',
              filename: 'a.pdf',
              file_data: 'data:application/pdf;base64,JVBERi0xLjQK',
            },
          ],
        },
        {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'A cat.', annotations: [] }],
        },
        { role: 'user', content: 'Oslo or Rome?' },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'weather',
          arguments: '{"city":"Oslo"}',
        },
        { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'weather', arguments: '' },
        { type: 'function_call_output', call_id: 'call_1', output: 'Snow' },
        {
          type: 'function_call_output',
          call_id: 'call_2',
          output: [{ type: 'input_text', text: 'Sun' }],
        },
      ],
    })
    expect(sentBody()).toMatchObject({
      system: [{ text: 'Rules' }],
      tools: [{ name: 'weather', input_schema: WEATHER.parameters }],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
            { type: 'document', source: { media_type: 'application/pdf' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Oslo or Rome?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
            { type: 'tool_use', id: 'call_2', name: 'weather', input: {} },
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

  test('a JSON schema for the answer, and how hard to think', async () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    await create({
      text: { format: { type: 'json_schema', name: 'x', schema, strict: true } },
      reasoning: { effort: 'low', summary: 'auto' },
      max_output_tokens: 1000,
    })
    expect(sentBody()).toMatchObject({
      output_config: { format: { type: 'json_schema', schema } },
      thinking: { type: 'enabled' },
    })
  })

  test('settings that say nothing are no obstacle, and what goes unused is told', async () => {
    const { response } = await stage.client.responses
      .create(
        asParams({
          ...hello,
          store: false,
          background: false,
          truncation: 'disabled',
          top_logprobs: 0,
          service_tier: 'auto',
          include: ['reasoning.encrypted_content'],
          previous_response_id: null,
          metadata: { team: 'blue' },
          prompt_cache_key: 'k',
        }),
      )
      .withResponse()
    expect(response.headers.get('x-goldweight-warnings')).toBe(
      'not passed on: metadata; not passed on: prompt_cache_key',
    )
  })
})

describe('what can not be carried over is refused by name, and nothing is sent', () => {
  const message = (content: object[]) => [{ role: 'user', content }]
  test.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['store', { store: true }],
    ['truncation', { truncation: 'auto' }],
    ['text.verbosity', { text: { verbosity: 'low' } }],
    ['service_tier', { service_tier: 'priority' }],
    ['tools.0.type', { tools: [{ type: 'web_search' }] }],
    ['input.0.type', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input.0.content.0.file_id', { input: message([{ type: 'input_image', file_id: 'file-1' }]) }],
    ['input.0.content.0.type', { input: message([{ type: 'input_video' }]) }],
    ['something_new', { something_new: 1 }],
  ])('%s', async (field, extra) => {
    const error = await apiErrorOf(create(extra))
    expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter' })
    expect(error.message).toContain(`${field}: `)
    expect(stage.upstream.requests).toEqual([])
    await stage.expectFree()
  })

  test.each([
    ['input.0.call_id', { input: [{ type: 'function_call_output', call_id: 'x', output: 'y' }] }],
    ['input.0.arguments', { input: [{ type: 'function_call', call_id: 'x', name: 'f', arguments: '{' }] }],
    ['input.0.content.0.image_url', { input: message([{ type: 'input_image' }]) }],
    ['tool_choice', { tool_choice: 'required' }],
    ['max_output_tokens', { max_output_tokens: 0 }],
  ])('%s, of a shape that means nothing', async (field, extra) => {
    const error = await apiErrorOf(create(extra))
    expect(error.status).toBe(400)
    expect(error.message).toContain(`${field}: `)
    expect(stage.upstream.requests).toEqual([])
  })
})

describe('whole answers', () => {
  test('a text', async () => {
    answerWith([{ type: 'text', text: 'Hello!' }])
    const answer = await create({ temperature: 0.5, metadata: { team: 'blue' } })
    expect(answer.output_text).toBe('Hello!')
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^resp_req_/),
      object: 'response',
      status: 'completed',
      model: PUBLIC_MODEL,
      store: false,
      temperature: 0.5,
      metadata: { team: 'blue' },
      error: null,
      incomplete_details: null,
      output: [
        {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello!', annotations: [] }],
        },
      ],
      usage: { input_tokens: 20, output_tokens: 7, total_tokens: 27 },
    })
    await stage.expectCharged(20, 0, 0, 7)
    expect(await stage.lastRecord()).toMatchObject({ endpoint: 'responses' })
  })

  test('thinking and calls of tools, which go back as they came', async () => {
    answerWith(
      [
        { type: 'thinking', thinking: 'Which city?', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'aGlkZGVu' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
      ],
      { stopReason: 'tool_use' },
    )
    const answer = await create({ tools: [WEATHER] })
    expect(answer.status).toBe('completed')
    expect(answer.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Which city?' }] },
      { type: 'reasoning', summary: [], encrypted_content: expect.any(String) },
      { type: 'message', content: [{ text: 'Let me see.' }] },
      { type: 'function_call', call_id: 'toolu_1', name: 'weather', arguments: '{"city":"Oslo"}' },
    ])
    await create({
      tools: [WEATHER],
      input: [
        { role: 'user', content: 'Oslo?' },
        ...answer.output,
        { type: 'function_call_output', call_id: 'toolu_1', output: 'Snow' },
      ],
    })
    const { messages } = sentBody() as { messages: object[] }
    expect(messages[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Which city?', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'aGlkZGVu' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_1' },
      ],
    })
  })

  test.each([
    ['max_tokens', 'incomplete', { reason: 'max_output_tokens' }],
    ['refusal', 'incomplete', { reason: 'content_filter' }],
    ['end_turn', 'completed', null],
  ])('one that ended with %s is %s', async (stopReason, status, details) => {
    answerWith([{ type: 'text', text: 'Hel' }], { stopReason })
    expect(await create()).toMatchObject({ status, incomplete_details: details })
    await stage.expectCharged(20, 0, 0, 7)
  })

  test('caches are shown and charged', async () => {
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 30,
      output_tokens: 7,
    }
    answerWith([{ type: 'text', text: 'Hi' }], { usage })
    expect((await create()).usage).toMatchObject({
      input_tokens: 135,
      input_tokens_details: { cached_tokens: 100, cache_write_tokens: 30 },
      output_tokens: 7,
      total_tokens: 142,
    })
    await stage.expectCharged(5, 100, 30, 7)
  })
})

describe('streams', () => {
  const STORY = [
    anthropicStart(),
    ...anthropicBlock(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'Which ' },
      { type: 'thinking_delta', thinking: 'city?' },
      { type: 'signature_delta', signature: 'c2ln' },
    ]),
    ...anthropicText(1, ['Let me', ' see.']),
    ...anthropicBlock(2, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }, [
      { type: 'input_json_delta', partial_json: '{"city":' },
      { type: 'input_json_delta', partial_json: '"Oslo"}' },
    ]),
    ...anthropicEnd('tool_use'),
  ]

  test('tell the same story as the whole answer, in the order and with the numbers of the protocol', async () => {
    streamWith(STORY)
    const response = await fetch(`${stage.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.caller.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...hello, tools: [WEATHER], stream: true }),
    })
    const events = namedEventsOf(await response.text())
    expect(events.map(({ name }) => name)).toEqual(events.map(({ data }) => data.type))
    expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_event, index) => index))
    expect(events.map(({ name }) => name).filter(name => !name?.endsWith('.delta'))).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    await stage.expectCharged(20, 0, 0, 7)
  })

  test('as the official library gathers them', async () => {
    streamWith(STORY)
    const stream = stage.client.responses.stream({
      ...asParams(hello),
      tools: [WEATHER] as never,
      stream: true,
    })
    const texts: string[] = []
    stream.on('response.output_text.delta', ({ delta }) => texts.push(delta))
    const answer = await stream.finalResponse()
    expect(texts).toEqual(['Let me', ' see.'])
    expect(answer.output_text).toBe('Let me see.')
    expect(answer.output).toMatchObject([
      {
        type: 'reasoning',
        summary: [{ text: 'Which city?' }],
        encrypted_content: expect.any(String),
      },
      { type: 'message', content: [{ text: 'Let me see.' }] },
      { type: 'function_call', call_id: 'toolu_1', arguments: '{"city":"Oslo"}' },
    ])
    expect(answer.usage).toMatchObject({ input_tokens: 20, output_tokens: 7 })
    await stage.expectCharged(20, 0, 0, 7)
  })

  test('one that was cut off by its limit ends incomplete', async () => {
    streamWith([anthropicStart(), ...anthropicText(0, ['Hel']), ...anthropicEnd('max_tokens')])
    const stream = await stage.client.responses.create({ ...hello, stream: true })
    const events = await Array.fromAsync(stream)
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    })
    await stage.expectCharged(20, 0, 0, 7)
  })

  test('one that breaks off ends with an error that is numbered on, and costs nothing', async () => {
    stage.upstream.respond((_request, response) => {
      writeAnthropicEvents(response, [anthropicStart(), ...anthropicText(0, ['Hel', 'lo']).slice(0, 3)])
      setTimeout(() => response.destroy(), 20)
    })
    const response = await fetch(`${stage.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.caller.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...hello, stream: true }),
    })
    const events = namedEventsOf(await response.text())
    expect(events.at(-1)).toMatchObject({ name: 'error', data: { type: 'error', code: 'upstream_error' } })
    expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_event, index) => index))
    await stage.expectFree()
  })

  test('what can be told before the first event is an error of HTTP', async () => {
    streamWith([{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }])
    const error = await apiErrorOf(stage.client.responses.create({ ...hello, stream: true }))
    expect(error.status).toBe(502)
    await stage.expectFree()
  })
})
