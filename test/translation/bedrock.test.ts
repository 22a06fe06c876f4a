/** OpenAI chat in, AWS Bedrock's Converse out. */
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  apiErrorOf,
  PUBLIC_MODEL,
  startTranslatedStage,
  type TranslatedStage,
} from '#test/support/translated-stage.ts'
import { sendJson, type UpstreamRequest } from '#test/support/upstream.ts'
import {
  ask,
  askStreamed,
  asParams,
  HELLO,
  PIXEL,
  PLACE_FORMAT,
  sentTo,
  TOOL_TURNS,
  WEATHER_TOOL,
} from './chat-calls.ts'
import {
  converseDelta,
  converseEnd,
  converseEvent,
  converseReply,
  converseStart,
  converseStop,
  converseText,
  writeConverse,
} from './converse-wire.ts'
import { describeFailures } from './failures.ts'

const MODEL = 'anthropic.claude-sonnet-4-5-20250929-v1:0'
const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'

let stage: TranslatedStage
beforeAll(async () => {
  stage = await startTranslatedStage({
    kind: 'bedrock',
    credential: 'bedrock-api-key-secret',
    upstreamModel: MODEL,
    basePath: '/',
  })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.requests.length = 0
})

function answerWith(...reply: Parameters<typeof converseReply>): void {
  stage.upstream.respond((_request, response) => sendJson(response, converseReply(...reply)))
}

function streamWith(events: readonly Buffer[]): void {
  stage.upstream.respond((_request, response) => {
    writeConverse(response, events)
    response.end()
  })
}

describe('what is sent', () => {
  beforeEach(() => answerWith([{ text: 'Hello!' }]))

  test('a plain question, by a key of the API', async () => {
    await ask(stage, {
      messages: [{ role: 'system', content: 'Be brief.' }, ...HELLO.messages],
      max_tokens: 50,
      temperature: 0.5,
      stop: ['END'],
    })
    expect(sentTo(stage)).toMatchObject({
      path: `/model/${encodeURIComponent(MODEL)}/converse`,
      headers: { authorization: 'Bearer bedrock-api-key-secret', 'user-agent': 'goldweight' },
      body: {
        system: [{ text: 'Be brief.' }],
        messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
        inferenceConfig: { maxTokens: 50, temperature: 0.5, stopSequences: ['END'] },
      },
    })
  })

  test('pictures and documents', async () => {
    await ask(stage, {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            {
              type: 'file',
              file: { file_data: 'data:application/pdf;base64,JVBERi0xLjQK', filename: 'a.pdf' },
            },
          ],
        },
      ],
    })
    expect(sentTo(stage).body.messages).toMatchObject([
      {
        content: [
          { image: { format: 'png', source: { bytes: PIXEL } } },
          { document: { format: 'pdf', source: { bytes: 'JVBERi0xLjQK' } } },
        ],
      },
    ])
  })

  test('tools, calls that were made at once, and their results', async () => {
    await ask(stage, {
      tools: [WEATHER_TOOL],
      tool_choice: 'required',
      messages: TOOL_TURNS,
    })
    expect(sentTo(stage).body).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { name: 'weather' } }], toolChoice: { any: {} } },
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { text: 'Let me see.' },
            { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Oslo' } } },
            { toolUse: { toolUseId: 'call_2', name: 'weather', input: { city: 'Rome' } } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'call_1', content: [{ text: 'Snow' }] } },
            { toolResult: { toolUseId: 'call_2', content: [{ text: 'Sun' }] } },
          ],
        },
      ],
    })
  })

  test('one tool at a time', async () => {
    await ask(stage, { tools: [WEATHER_TOOL], tool_choice: 'required', parallel_tool_calls: false })
    expect(sentTo(stage).body.additionalModelRequestFields).toEqual({
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    })
  })

  test('a JSON schema', async () => {
    await ask(stage, { response_format: PLACE_FORMAT })
    expect(sentTo(stage).body).toMatchObject({
      additionalModelRequestFields: { output_config: { format: { type: 'json_schema' } } },
    })
  })

  test('how hard to think', async () => {
    await ask(stage, { reasoning_effort: 'low', max_tokens: 1000 })
    expect(sentTo(stage).body.additionalModelRequestFields).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: expect.any(Number) },
    })
  })

  test('cache marks, with their lives', async () => {
    await ask(stage, {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Rules', cache_control: { type: 'ephemeral' } }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Book', cache_control: { type: 'ephemeral', ttl: '1h' } },
            { type: 'text', text: 'Question' },
          ],
        },
      ],
    })
    expect(sentTo(stage).body).toMatchObject({
      system: [{ text: 'Rules' }, { cachePoint: { type: 'default' } }],
      messages: [
        {
          content: [{ text: 'Book' }, { cachePoint: { type: 'default', ttl: '1h' } }, { text: 'Question' }],
        },
      ],
    })
  })
})

describe('what can not be carried over is refused by name, and nothing is sent', () => {
  test.each([
    ['seed', { seed: 1 }],
    ['top_k', { top_k: 4 }],
    ['presence_penalty', { presence_penalty: 1 }],
    ['temperature', { temperature: 1.2 }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['tools', { messages: TOOL_TURNS }],
    ['messages.1', { messages: [...HELLO.messages, { role: 'system', content: 'Late' }] }],
    [
      'messages.0.content.0.image_url.url',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'https://example.org/cat.png' } }],
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
  test('a text, with what was read from caches and written into them counted apart', async () => {
    answerWith([{ text: 'Hello!' }], {
      usage: {
        inputTokens: 20,
        outputTokens: 7,
        totalTokens: 1327,
        cacheReadInputTokens: 1000,
        cacheWriteInputTokens: 300,
      },
    })
    expect(await ask(stage)).toMatchObject({
      choices: [{ message: { content: 'Hello!' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1320, completion_tokens: 7 },
    })
    await stage.expectCharged(20, 1000, 300, 7)
  })

  test('calls of tools, with the reasoning before them, which comes back in the next turn', async () => {
    answerWith(
      [
        { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'signed-by-upstream' } } },
        { toolUse: { toolUseId: 'tu_1', name: 'weather', input: { city: 'Oslo' } } },
      ],
      { stopReason: 'tool_use' },
    )
    const { choices } = await ask(stage, { tools: [WEATHER_TOOL] })
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'tu_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
      },
    })
    answerWith([{ text: 'Snow.' }])
    await ask(stage, {
      tools: [WEATHER_TOOL],
      messages: [
        ...HELLO.messages,
        choices[0]?.message,
        { role: 'tool', tool_call_id: 'tu_1', content: 'Snow' },
      ],
    })
    expect(sentTo(stage).body.messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'signed-by-upstream' } } },
          { toolUse: { toolUseId: 'tu_1' } },
        ],
      },
      { role: 'user' },
    ])
  })

  test.each([
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop'],
    ['guardrail_intervened', 'content_filter'],
    ['malformed_model_output', 'malformed_model_output'],
  ])('%s is told as %s', async (stopReason, told) => {
    answerWith([{ text: 'Well' }], { stopReason })
    expect((await ask(stage)).choices[0]?.finish_reason).toBe(told)
  })

  test('a stream with reasoning, a text and calls of tools', async () => {
    streamWith([
      converseStart(),
      converseDelta(0, { reasoningContent: { text: 'Hm.' } }),
      converseDelta(0, { reasoningContent: { signature: 'signed-by-upstream' } }),
      converseStop(0),
      ...converseText(1, ['Let me ', 'see.']),
      converseEvent('contentBlockStart', {
        contentBlockIndex: 2,
        start: { toolUse: { toolUseId: 'tu_1', name: 'weather' } },
      }),
      converseDelta(2, { toolUse: { input: '{"city":' } }),
      converseDelta(2, { toolUse: { input: '"Oslo"}' } }),
      converseStop(2),
      ...converseEnd('tool_use'),
    ])
    expect(await askStreamed(stage, { tools: [WEATHER_TOOL] })).toMatchObject({
      reasoning: 'Hm.',
      reasoningDetails: [{ type: 'reasoning.text', text: 'Hm.', signature: expect.any(String) }],
      text: 'Let me see.',
      toolCalls: [{ id: 'tu_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
      finishReasons: ['tool_calls'],
      usage: { prompt_tokens: 20, completion_tokens: 7 },
    })
    await stage.expectCharged(20, 0, 0, 7)
  })

  test('a stream whose usage is cut off is complete, and estimated', async () => {
    streamWith([
      converseStart(),
      ...converseText(0, ['Hello there!']),
      converseEvent('messageStop', { stopReason: 'end_turn' }),
    ])
    expect(await askStreamed(stage)).toMatchObject({ text: 'Hello there!', finishReasons: ['stop'] })
    expect(await stage.lastRecord()).toMatchObject({ status: 'succeeded', usage_source: 'estimate' })
  })

  test('an exception before any event has a status of its own', async () => {
    streamWith([converseEvent('throttlingException', { message: 'Slow down' }, 'exception')])
    expect(await apiErrorOf(askStreamed(stage))).toMatchObject({ status: 429, type: 'upstream_rate_limited' })
    streamWith([converseEvent('validationException', { message: 'Too long' }, 'exception')])
    const error = await apiErrorOf(askStreamed(stage))
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' })
    expect(error.message).toContain('Too long')
  })

  test('a model that failed is no fault of the request', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { message: 'The model failed' }, 424, { 'x-amzn-errortype': 'ModelErrorException' }),
    )
    expect(await apiErrorOf(ask(stage))).toMatchObject({ status: 502, type: 'upstream_error' })
  })
})

describe('calls that are signed', () => {
  /** The signature as AWS describes it: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
  function signatureOf(request: UpstreamRequest): string {
    const authorization = String(request.headers.authorization)
    const [, scope = '', signedHeaders = ''] =
      /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=/.exec(authorization) ?? []
    const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
    const canonical = [
      'POST',
      // Each part of the path is encoded once more than it is sent.
      request.path.split('/').map(encodeURIComponent).join('/'),
      '',
      ...signedHeaders.split(';').map(name => `${name}:${request.headers[name]}`),
      '',
      signedHeaders,
      hash(request.bytes),
    ].join('\n')
    const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(canonical)].join('\n')
    const key = scope
      .split('/')
      .reduce<string | Buffer>(
        (secret, part) => createHmac('sha256', secret).update(part).digest(),
        `AWS4${SECRET_KEY}`,
      )
    return createHmac('sha256', key).update(toSign).digest('hex')
  }

  test('bear a signature over what is sent, big pictures and all, for the region of the credential', async () => {
    const signed = await startTranslatedStage({
      kind: 'bedrock',
      credential: JSON.stringify({
        access_key_id: 'AKIDEXAMPLE',
        secret_access_key: SECRET_KEY,
        session_token: 'session-token-value',
        region: 'eu-central-1',
      }),
      upstreamModel: MODEL,
      basePath: '/',
    })
    try {
      signed.upstream.respond((_request, response) => sendJson(response, converseReply([{ text: 'Hello!' }])))
      const picture = Buffer.alloc(300_000, 'picture').toString('base64')
      await signed.client.chat.completions.create({
        model: PUBLIC_MODEL,
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }],
          },
        ],
      })
      const request = sentTo(signed)
      const { authorization } = request.headers
      expect(authorization).toContain('Credential=AKIDEXAMPLE/')
      expect(authorization).toContain('/eu-central-1/bedrock/aws4_request')
      expect(request.headers['x-amz-security-token']).toBe('session-token-value')
      expect(String(authorization).split('Signature=')[1]).toBe(signatureOf(request))
      expect(request.bytes.includes(picture)).toBe(true)
    } finally {
      await signed.close()
    }
  })
})

test('settings for other makers’ models are refused where they have no meaning', async () => {
  const other = await startTranslatedStage({
    kind: 'bedrock',
    credential: 'bedrock-api-key-secret',
    upstreamModel: 'amazon.nova-pro-v1:0',
    basePath: '/',
  })
  try {
    const call = other.client.chat.completions.create(
      asParams({ ...HELLO, tools: [WEATHER_TOOL], parallel_tool_calls: false }),
    )
    expect((await apiErrorOf(call)).message).toContain('parallel_tool_calls: ')
  } finally {
    await other.close()
  }
})

describeFailures(() => stage, {
  errorBody: (_type, message) => ({ message }),
  answer: response => sendJson(response, converseReply([{ text: 'Hello!' }])),
  begin: response => writeConverse(response, [converseStart()]),
  content: (response, text) => writeConverse(response, converseText(0, [text])),
  finish: response => writeConverse(response, converseEnd()),
  error: (response, { type, message }) => {
    if (!response.headersSent || response.getHeader('content-type') === undefined) writeConverse(response, [])
    response.write(converseEvent(type, { message }, 'exception'))
  },
  overloaded: 'serviceUnavailableException',
})
