/** What Anthropic's callers can say, and how answers of others reach them: read by Anthropic's own library. */
import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import type { AnswerPart, RenderContext, TranslatedRequest } from '#gateway/translation/dialect.ts'
import { sealTokens } from '#gateway/translation/provider-tokens.ts'
import { messagesDialect } from './messages-dialect.ts'

const CONTEXT: RenderContext = { requestId: 'req_1', model: 'public/model', nowMs: 1_700_000_000_000 }
const BUCKETS = { input: 10, cache_read: 4, cache_write: 3, output: 7 }
const USAGE = { buckets: BUCKETS, reasoningTokens: 2 }
const HELLO = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }
const SIGNED = { anthropic: { signature: 'c2ln' } }
const THOUGHT = { google: { thoughtSignature: 'dGhvdWdodA' } }
const sealed = (metadata: Parameters<typeof sealTokens>[0]) => sealTokens(metadata) ?? ''

function parse(body: object): TranslatedRequest {
  const parsed = messagesDialect.parse({ ...HELLO, ...body })
  if (!parsed.ok) throw new Error(parsed.refusal.message)
  return parsed.value
}

const callOf = (body: object) => parse(body).call
const promptOf = (messages: object[]) => callOf({ messages }).options.prompt

/** What the official library makes of an answer. */
async function read(text: string, contentType: string, stream: boolean): Promise<Anthropic.Message> {
  const client = new Anthropic({
    apiKey: 'x',
    fetch: async () => new Response(text, { headers: { 'content-type': contentType } }),
  })
  const params = HELLO as Anthropic.MessageCreateParamsNonStreaming
  return stream ? client.messages.stream(params).finalMessage() : client.messages.create(params)
}

type Ending = Parameters<ReturnType<TranslatedRequest['createRenderer']>['finish']>[0]
const END: Ending = { finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE }

function readStream(parts: AnswerPart[], ending: Partial<Ending> = {}): Promise<Anthropic.Message> {
  const renderer = parse({}).createRenderer(CONTEXT)
  const text = [renderer.begin(), ...parts.map(part => renderer.render(part))].join('')
  return read(text + renderer.finish({ ...END, ...ending }), 'text/event-stream', true)
}

describe('what is said', () => {
  test('settings', () => {
    const { options, ...call } = callOf({
      system: 'Be brief.',
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['END'],
      metadata: { user_id: 'user-7' },
      thinking: { type: 'enabled', budget_tokens: 2048 },
      context_management: { edits: [] },
    })
    expect(options).toMatchObject({
      maxOutputTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      stopSequences: ['END'],
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
    })
    expect(call).toMatchObject({
      endUserId: 'user-7',
      reasoningBudgetTokens: 2048,
      unused: ['context_management'],
    })
  })

  test('effort and a schema for the answer', () => {
    const schema = { type: 'object', properties: {} }
    const { options } = callOf({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high', format: { type: 'json_schema', schema } },
    })
    expect(options).toMatchObject({ reasoning: 'high', responseFormat: { type: 'json', schema } })
  })

  test.each([
    [{ type: 'auto' }, { type: 'auto' }, undefined],
    [{ type: 'any', disable_parallel_tool_use: true }, { type: 'required' }, false],
    [{ type: 'tool', name: 'f' }, { type: 'tool', toolName: 'f' }, undefined],
    [{ type: 'none' }, { type: 'none' }, undefined],
  ])('the choice of a tool: %o', (choice, expected, parallel) => {
    const { options, parallelToolCalls } = callOf({
      tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' }, strict: true }],
      tool_choice: choice,
    })
    expect(options.toolChoice).toEqual(expected)
    expect(options.tools).toEqual([
      { type: 'function', name: 'f', description: 'd', inputSchema: { type: 'object' }, strict: true },
    ])
    expect(parallelToolCalls).toBe(parallel)
  })

  test('texts, images and documents', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    expect(
      promptOf([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source },
            { type: 'image', source: { type: 'url', url: 'https://example.org/a.jpg' } },
            {
              type: 'document',
              title: 'A book',
              source: { ...source, media_type: 'application/pdf' },
            },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Once' } },
          ],
        },
      ]),
    ).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          { type: 'file', mediaType: 'image/jpeg', data: { type: 'url' } },
          { type: 'file', mediaType: 'application/pdf', filename: 'A book' },
          { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'Once' } },
        ],
      },
    ])
  })

  test('calls of tools and their results, errors and images among them', () => {
    const prompt = promptOf([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 't2', name: 'g', input: {} },
          { type: 'tool_use', id: 't3', name: 'h', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'Snow' },
          { type: 'tool_result', tool_use_id: 't2', is_error: true, content: [{ type: 'text', text: 'No' }] },
          {
            type: 'tool_result',
            tool_use_id: 't3',
            content: [
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
              },
            ],
          },
          { type: 'text', text: 'And now?' },
        ],
      },
    ])
    expect(prompt).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'text' },
          { type: 'tool-call', toolCallId: 't1', toolName: 'f', input: { a: 1 } },
          { type: 'tool-call', toolCallId: 't2' },
          { type: 'tool-call', toolCallId: 't3' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 't1', toolName: 'f', output: { type: 'text', value: 'Snow' } },
          { toolCallId: 't2', toolName: 'g', output: { type: 'error-text', value: 'No' } },
          { toolCallId: 't3', output: { type: 'content', value: [{ type: 'file' }] } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
    ])
  })

  test('marks of what is to be cached', () => {
    const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }
    const { options } = callOf({
      system: [{ type: 'text', text: 'Rules', ...mark }],
      tools: [{ name: 'f', input_schema: {}, ...mark }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...mark }] }],
    })
    const marked = { providerOptions: { goldweight: { cacheLife: '1h' } } }
    expect(options.prompt).toMatchObject([marked, { content: [marked] }])
    expect(options.tools).toMatchObject([marked])
  })

  test('thinking goes back to the upstream that signed it', () => {
    expect(
      promptOf([
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: sealed(SIGNED) },
            { type: 'thinking', thinking: 'Not ours', signature: 'RXJyb3I' },
            { type: 'redacted_thinking', data: sealed({ anthropic: { redactedData: 'x' } }) },
            { type: 'tool_use', id: 't0', name: 'e', input: {} },
            { type: 'redacted_thinking', data: sealed(THOUGHT) },
            { type: 'tool_use', id: 't1', name: 'f', input: {} },
          ],
        },
      ]),
    ).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm', providerOptions: SIGNED },
          { type: 'reasoning', text: 'Not ours' },
          { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'x' } } },
          { type: 'tool-call', toolCallId: 't0', toolName: 'e', input: {} },
          { type: 'tool-call', toolCallId: 't1', toolName: 'f', input: {}, providerOptions: THOUGHT },
        ],
      },
    ])
  })
})

describe('what can not be carried over is refused by name', () => {
  const user = (content: object[]) => ({ messages: [{ role: 'user', content }] })
  test.each([
    ['container', { container: 'c' }],
    ['mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://x', name: 'x' }] }],
    ['speed', { speed: 'fast' }],
    ['service_tier', { service_tier: 'priority' }],
    ['tools.0.type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['something_new', { something_new: 1 }],
    ['messages.0.content.0.type', user([{ type: 'search_result' }])],
    [
      'messages.0.content.0.citations',
      user([{ type: 'document', source: { type: 'text', data: 'x' }, citations: { enabled: true } }]),
    ],
  ])('%s', (field, body) => {
    const parsed = messagesDialect.parse({ ...HELLO, ...body })
    expect(parsed).toMatchObject({ ok: false, refusal: { status: 400, code: 'unsupported_parameter' } })
    if (!parsed.ok) expect(parsed.refusal.message).toContain(`${field}: `)
  })

  test.each([
    ['max_tokens', { max_tokens: 0 }],
    ['tool_choice', { tool_choice: { type: 'any' } }],
    [
      'messages.0.content.0.tool_use_id',
      user([{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }]),
    ],
    ['messages.0.content.0.source', user([{ type: 'image', source: { type: 'url', url: 'file:///x' } }])],
  ])('%s, which means nothing', (field, body) => {
    const parsed = messagesDialect.parse({ ...HELLO, ...body })
    expect(parsed.ok).toBe(false)
    if (!parsed.ok) expect(parsed.refusal.message).toContain(`${field}: `)
  })
})

describe('whole answers', () => {
  const render = (content: Parameters<TranslatedRequest['renderReply']>[0]['content'], more: object = {}) =>
    read(parse({}).renderReply({ content, ...END, ...more }, CONTEXT), 'application/json', false)

  test('thinking, text and calls, with usage in disjoint counts', async () => {
    const message = await render(
      [
        { type: 'reasoning', text: 'Hm', providerMetadata: SIGNED },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool-call', toolCallId: 't1', toolName: 'f', input: '{"a":1}', providerMetadata: THOUGHT },
        { type: 'tool-call', toolCallId: 't2', toolName: 'g', input: '{broken' },
      ],
      { finishReason: { unified: 'tool-calls', raw: 'tool_calls' } },
    )
    expect(message).toMatchObject({
      id: 'msg_req_1',
      type: 'message',
      role: 'assistant',
      model: 'public/model',
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 3,
        output_tokens: 7,
      },
    })
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: sealed(SIGNED) },
      { type: 'text', text: 'Let me see.' },
      { type: 'redacted_thinking', data: sealed(THOUGHT) },
      { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 't2', name: 'g', input: { INVALID_JSON: '{broken' } },
    ])
  })

  test('the JSON that was asked for, alone', async () => {
    const message = await render([{ type: 'text', text: 'Here: {"a":1}' }], {
      structuredOutputText: '{"a":1}',
    })
    expect(message.content).toEqual([{ type: 'text', text: '{"a":1}' }])
  })

  test.each([
    ['stop', 'stop', 'end_turn'],
    ['length', 'length', 'max_tokens'],
    ['content-filter', 'SAFETY', 'refusal'],
    ['stop', 'stop_sequence', 'stop_sequence'],
    ['other', 'pause_turn', 'pause_turn'],
    ['other', 'whatever', 'end_turn'],
  ] as const)('%s (%s) is %s', async (unified, raw, expected) => {
    expect((await render([], { finishReason: { unified, raw } })).stop_reason).toBe(expected)
  })
})

describe('streams', () => {
  test('thinking, text and calls', async () => {
    const message = await readStream(
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'H' },
        { type: 'reasoning-delta', id: 'r', delta: 'm' },
        { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: SIGNED },
        { type: 'reasoning-end', id: 'r' },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'Let me' },
        { type: 'text-delta', id: '0', delta: ' see.' },
        { type: 'text-end', id: '0' },
        { type: 'tool-input-start', id: 't1', toolName: 'f', providerMetadata: THOUGHT },
        { type: 'tool-input-delta', id: 't1', delta: '{"a"' },
        { type: 'tool-input-delta', id: 't1', delta: ':1}' },
        { type: 'tool-input-end', id: 't1' },
        { type: 'tool-call', toolCallId: 't1', toolName: 'f', input: '{"a":1}' },
        { type: 'tool-call', toolCallId: 't2', toolName: 'g', input: '{}' },
      ],
      { finishReason: { unified: 'tool-calls', raw: 'tool_calls' } },
    )
    expect(message).toMatchObject({
      model: 'public/model',
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 3,
        output_tokens: 7,
      },
    })
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: sealed(SIGNED) },
      { type: 'text', text: 'Let me see.' },
      { type: 'redacted_thinking', data: sealed(THOUGHT) },
      { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 't2', name: 'g', input: {} },
    ])
  })

  test('hidden thinking, and a text that its upstream never ended', async () => {
    const hidden = { anthropic: { redactedData: 'x' } }
    const message = await readStream([
      { type: 'reasoning-start', id: 'r', providerMetadata: hidden },
      { type: 'reasoning-end', id: 'r' },
      { type: 'text-delta', id: '0', delta: 'Hi' },
    ])
    expect(message.content).toEqual([
      { type: 'redacted_thinking', data: sealed(hidden) },
      { type: 'text', text: 'Hi' },
    ])
  })

  test('no answer at all is an empty message', async () => {
    expect(await readStream([], { usage: null })).toMatchObject({
      content: [],
      stop_reason: 'end_turn',
      usage: { input_tokens: 0, output_tokens: 0 },
    })
  })

  test('nothing says that it is complete before it ends', () => {
    const renderer = parse({}).createRenderer(CONTEXT)
    const text = renderer.begin() + renderer.render({ type: 'text-delta', id: '0', delta: 'Hi' })
    expect(text).not.toMatch(/message_delta|message_stop/)
    expect(renderer.finish(END)).toMatch(/content_block_stop.*message_delta.*message_stop/s)
  })
})
