/** What the official OpenAI library makes of the gateway: an application only has to change its base URL. */
import OpenAI, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  UnprocessableEntityError,
} from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { MESSAGES, MODEL, type Stage, startStage } from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk, chatReply, sendJson, usageChunk } from '#test/support/upstream.ts'

let stage: Stage
let client: OpenAI
beforeAll(async () => {
  stage = await startStage()
  client = clientFor(stage.caller.token)
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.respond(answerWell)
  stage.upstream.requests.length = 0
  stage.upstream.cancelled.length = 0
})

function clientFor(apiKey: string, maxRetries = 0): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${stage.gateway.url}/v1`, maxRetries })
}

const chat = {
  model: MODEL,
  messages: [{ role: 'user', content: 'Hi' }],
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming

/** What a call was refused with. */
async function errorOf(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof APIError)) throw new Error(`Expected an APIError, got ${error}`)
  return error
}

describe('chat', () => {
  test('a completion', async () => {
    const { data, request_id, response } = await client.chat.completions.create(chat).withResponse()
    expect(data.choices[0]?.message).toEqual({ role: 'assistant', content: 'Hello there!', refusal: null })
    expect(data.model).toBe(MODEL)
    expect(data.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
    expect(request_id).toMatch(/^req_/)
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('100000')
  })

  test('a stream, without a usage chunk unless it is asked for', async () => {
    const chunks = []
    for await (const chunk of await client.chat.completions.create({ ...chat, stream: true }))
      chunks.push(chunk)
    expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello there!')
    expect(chunks.every(chunk => chunk.choices.length === 1 && chunk.model === MODEL)).toBe(true)
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
  })

  test('a stream with the usage chunk that was asked for', async () => {
    const chunks = []
    for await (const chunk of await client.chat.completions.create({
      ...chat,
      stream: true,
      stream_options: { include_usage: true },
    }))
      chunks.push(chunk)
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    })
  })

  test("the library's own stream runner comes to the same completion", async () => {
    const completion = await client.chat.completions
      .stream({ ...chat, stream_options: { include_usage: true } })
      .finalChatCompletion()
    expect(completion.choices[0]?.message.content).toBe('Hello there!')
    expect(completion.usage?.total_tokens).toBe(15)
  })

  test('images, audio and every unknown field go up as they were given', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'developer', content: 'Be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        ],
      },
    ]
    const extra = {
      temperature: 0.1,
      seed: 7,
      reasoning_effort: 'low',
      logit_bias: { '50256': -100 },
      metadata: { a: 'b' },
      top_k: 40,
    } as const
    await client.chat.completions.create({ model: MODEL, messages, ...extra })
    expect(stage.upstream.requests[0]?.body).toEqual({ model: 'upstream-model', messages, ...extra })
  })
})

describe('tools', () => {
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'Tells the weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        strict: true,
      },
    },
  ]
  const calls = [
    { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
    { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
  ]

  test('calls come back as they were made, and the tools went up as they were given', async () => {
    const reply = chatReply('')
    stage.upstream.respond((_request, response) =>
      sendJson(response, {
        ...reply,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, tool_calls: calls },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    )
    const completion = await client.chat.completions.create({
      ...chat,
      tools,
      tool_choice: 'required',
      parallel_tool_calls: true,
    })
    expect(completion.choices[0]?.message.tool_calls).toEqual(calls)
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls')
    expect(stage.upstream.requests[0]?.body).toMatchObject({
      tools,
      tool_choice: 'required',
      parallel_tool_calls: true,
    })
  })

  test('streamed calls keep index, id and every piece of their arguments', async () => {
    const deltas = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"city"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':"Oslo"}' } }] },
      {
        tool_calls: [
          { index: 1, id: 'call_2', type: 'function', function: { name: 'weather', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 1, function: { arguments: '{"city":"Bern"}' } }] },
    ]
    stage.upstream.respond((_request, response) => {
      beginSse(response, [
        ...deltas.map(delta => chatChunk(delta)),
        chatChunk({}, 'tool_calls'),
        usageChunk(),
        '[DONE]',
      ])
      response.end()
    })
    const seen: unknown[] = []
    for await (const chunk of await client.chat.completions.create({ ...chat, tools, stream: true })) {
      if (chunk.choices[0]?.finish_reason === null) seen.push(chunk.choices[0].delta)
    }
    expect(seen).toEqual(deltas)
    const final = await client.chat.completions.stream({ ...chat, tools }).finalChatCompletion()
    expect(
      final.choices[0]?.message.tool_calls?.map(
        call => call.type === 'function' && [call.id, call.function.arguments],
      ),
    ).toEqual(calls.map(call => [call.id, call.function.arguments]))
  })

  test('the results of tools go up as they were given', async () => {
    const messages = [
      ...MESSAGES,
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
    ]
    // Each literal is a message of the library's, but `role` and `type` have widened to any text.
    await client.chat.completions.create({
      model: MODEL,
      messages: messages as OpenAI.ChatCompletionMessageParam[],
    })
    expect(stage.upstream.requests[0]?.body.messages).toEqual(messages)
  })
})

test('structured output: the schema goes up, the parsed object comes back', async () => {
  const format = zodResponseFormat(z.object({ city: z.string(), degrees: z.number() }), 'report')
  stage.upstream.respond((_request, response) =>
    sendJson(response, chatReply('{"city":"Oslo","degrees":-3}')),
  )
  const completion = await client.chat.completions.parse({ ...chat, response_format: format })
  expect(completion.choices[0]?.message.parsed).toEqual({ city: 'Oslo', degrees: -3 })
  expect(stage.upstream.requests[0]?.body.response_format).toEqual(JSON.parse(JSON.stringify(format)))
})

describe('embeddings', () => {
  test('base64, which the library asks for by itself, is decoded right', async () => {
    const { data, model, usage } = await client.embeddings.create({ model: MODEL, input: ['one', 'two'] })
    expect(stage.upstream.requests[0]?.body.encoding_format).toBe('base64')
    expect(data.map(({ index, embedding }) => [index, embedding])).toEqual([
      [0, [0.25, -0.5, 1]],
      [1, [0.25, -0.5, 1]],
    ])
    expect(model).toBe(MODEL)
    expect(usage).toEqual({ prompt_tokens: 8, total_tokens: 8 })
  })

  test.each<[string, OpenAI.EmbeddingCreateParams['input']]>([
    ['a text', 'one'],
    ['tokens', [1, 2, 3]],
    ['lists of tokens', [[1, 2], [3]]],
  ])('floats of %s', async (_what, input) => {
    const { data } = await client.embeddings.create({
      model: MODEL,
      input,
      encoding_format: 'float',
      dimensions: 3,
    })
    expect(data[0]?.embedding).toEqual([0.25, -0.5, 1])
    expect(stage.upstream.requests[0]?.body).toMatchObject({ input, encoding_format: 'float', dimensions: 3 })
  })
})

test('the list of models', async () => {
  const ids = []
  for await (const model of client.models.list()) ids.push(model.id)
  expect(ids).toContain(MODEL)
  expect((await client.models.retrieve(MODEL)).object).toBe('model')
  expect(await errorOf(client.models.retrieve('none'))).toMatchObject({
    status: 404,
    code: 'model_not_found',
  })
})

describe('errors are of the classes that applications catch', () => {
  test('401', async () => {
    const error = await errorOf(clientFor('gw_wrong').chat.completions.create(chat))
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({
      status: 401,
      type: 'authentication_error',
      code: null,
      requestID: expect.stringMatching(/^req_/),
    })
  })

  test('404 for an unknown model', async () => {
    const error = await errorOf(client.chat.completions.create({ ...chat, model: 'none' }))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({
      code: 'model_not_found',
      type: 'invalid_request_error',
      message: expect.stringContaining('none'),
    })
  })

  test('400', async () => {
    const error = await errorOf(client.chat.completions.create({ ...chat, messages: [] }))
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error.message).toContain('messages')
  })

  test.each([
    [400, BadRequestError],
    [404, NotFoundError],
    [422, UnprocessableEntityError],
  ])("an upstream's %i keeps its class, message and code", async (status, type) => {
    stage.upstream.respond((_request, response) =>
      sendJson(
        response,
        { error: { message: 'too long', type: 'x', param: null, code: 'context_length_exceeded' } },
        status,
      ),
    )
    const error = await errorOf(client.chat.completions.create(chat))
    expect(error).toBeInstanceOf(type)
    expect(error).toMatchObject({
      status,
      code: 'context_length_exceeded',
      message: expect.stringContaining('too long'),
    })
  })

  test.each([
    [500, 502],
    [401, 502],
  ])("an upstream's %i is a server error, never an authentication error", async (upstreamStatus, status) => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'no' } }, upstreamStatus),
    )
    const error = await errorOf(client.chat.completions.create(chat))
    expect(error).toBeInstanceOf(InternalServerError)
    expect(error.status).toBe(status)
  })
})

describe('each 429 is a RateLimitError', () => {
  async function expectRateLimit(call: PromiseLike<unknown>, expected: object): Promise<void> {
    const error = await errorOf(call)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ status: 429, requestID: expect.stringMatching(/^req_/), ...expected })
  }

  test('rate', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { limits: { requests: 1 } })
    await clientFor(token).chat.completions.create(chat)
    await expectRateLimit(clientFor(token).chat.completions.create(chat), {
      type: 'rate_limit_exceeded',
      code: null,
    })
  })

  test('credits: the library does not try again, since nothing would change', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { credits: 0 })
    let asked = 0
    const count = () => {
      asked++
    }
    stage.gateway.app.server.on('request', count)
    await expectRateLimit(clientFor(token, 3).chat.completions.create(chat), {
      type: 'insufficient_quota',
      code: null,
    })
    stage.gateway.app.server.off('request', count)
    expect(asked).toBe(1)
  })

  test('concurrency: the library tries again, and gets in when the slot is free', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { limits: { concurrency: 1 } })
    const release = Promise.withResolvers<void>()
    stage.upstream.respond(async (request, response) => {
      await release.promise
      return answerWell(request, response)
    })
    const first = clientFor(token)
      .chat.completions.create(chat)
      .then(completion => completion)
    await eventually(() => expect(stage.upstream.requests).toHaveLength(1))
    await expectRateLimit(clientFor(token).chat.completions.create(chat), {
      type: 'insufficient_quota',
      code: 'concurrency_limit',
    })
    const patient = clientFor(token, 2)
      .chat.completions.create(chat)
      .then(completion => completion)
    release.resolve()
    expect((await first).choices[0]?.message.content).toBe('Hello there!')
    expect((await patient).choices[0]?.message.content).toBe('Hello there!')
  })

  test('the upstream', async () => {
    stage.upstream.respond((_request, response) => sendJson(response, { error: { message: 'slow' } }, 429))
    await expectRateLimit(client.chat.completions.create(chat), {
      type: 'upstream_rate_limited',
      code: 'upstream_rate_limited',
    })
  })
})

describe('streams that do not end well', () => {
  test('a failure upstream throws while the stream is read', async () => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [chatChunk({ content: 'Hel' })])
      response.write(':\n\n', () => response.socket?.destroy())
    })
    let text = ''
    const reading = (async () => {
      for await (const chunk of await client.chat.completions.create({ ...chat, stream: true }))
        text += chunk.choices[0]?.delta.content
    })()
    expect(await errorOf(reading)).toMatchObject({ type: 'upstream_error' })
    expect(text).toBe('Hel')
  })

  test('an abort in the middle cancels the upstream request and frees the slot', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { limits: { concurrency: 1 } })
    stage.upstream.respond((_request, response) => beginSse(response, [chatChunk({ content: 'Hel' })]))
    const stream = await clientFor(token).chat.completions.create({ ...chat, stream: true })
    for await (const _chunk of stream) stream.controller.abort()
    await eventually(() => expect(stage.upstream.cancelled).toHaveLength(1))
    stage.upstream.respond(answerWell)
    await eventually(() => clientFor(token).chat.completions.create(chat))
  })

  test('an abort before the answer cancels the upstream request', async () => {
    stage.upstream.respond(() => {})
    const abort = new AbortController()
    const call = client.chat.completions.create(chat, { signal: abort.signal })
    void eventually(() => expect(stage.upstream.requests).toHaveLength(1)).then(() => abort.abort())
    expect(await errorOf(call)).toBeInstanceOf(APIUserAbortError)
    await eventually(() => expect(stage.upstream.cancelled).toHaveLength(1))
  })
})
