/** OpenAI chat in, Gemini's generateContent out. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiErrorOf, startTranslatedStage, type TranslatedStage } from '#test/support/translated-stage.ts'
import { sendJson } from '#test/support/upstream.ts'
import {
  ask,
  askStreamed,
  HELLO,
  PIXEL,
  PLACE_FORMAT,
  sentTo,
  TOOL_TURNS,
  WEATHER_TOOL,
} from './chat-calls.ts'
import { describeFailures } from './failures.ts'
import { geminiPiece, geminiReply, writeGeminiEvents } from './gemini-wire.ts'

let stage: TranslatedStage
beforeAll(async () => {
  stage = await startTranslatedStage({
    kind: 'gemini',
    credential: 'AIza-gemini-secret-key',
    upstreamModel: 'gemini-3-flash-preview',
    basePath: '/v1beta',
  })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.requests.length = 0
})

function answerWith(...reply: Parameters<typeof geminiReply>): void {
  stage.upstream.respond((_request, response) => sendJson(response, geminiReply(...reply)))
}

describe('what is sent', () => {
  beforeEach(() => answerWith([{ text: 'Hello!' }]))

  test('a plain question: the key is in a header, and never in the address', async () => {
    await ask(stage, {
      messages: [{ role: 'system', content: 'Be brief.' }, ...HELLO.messages],
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      seed: 3,
      stop: 'END',
      frequency_penalty: 0.1,
    })
    expect(sentTo(stage)).toMatchObject({
      path: '/v1beta/models/gemini-3-flash-preview:generateContent',
      headers: { 'x-goog-api-key': 'AIza-gemini-secret-key', 'user-agent': 'goldweight' },
      body: {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
        generationConfig: {
          maxOutputTokens: 50,
          temperature: 0.5,
          topP: 0.9,
          seed: 3,
          stopSequences: ['END'],
          frequencyPenalty: 0.1,
        },
      },
    })
  })

  test('a stream is asked for as events', async () => {
    stage.upstream.respond((_request, response) => {
      writeGeminiEvents(response, [geminiReply([{ text: 'Hello!' }])])
      response.end()
    })
    await askStreamed(stage)
    expect(sentTo(stage).path).toBe('/v1beta/models/gemini-3-flash-preview:streamGenerateContent?alt=sse')
  })

  test('pictures as data and by address, documents and sounds', async () => {
    await ask(stage, {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
            { type: 'image_url', image_url: { url: 'https://example.org/cat.jpg' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0xLjQK' } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          ],
        },
      ],
    })
    expect(sentTo(stage).body.contents).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: PIXEL } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.org/cat.jpg' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0xLjQK' } },
          { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
        ],
      },
    ])
  })

  test('tools, calls that were made at once, and their results', async () => {
    await ask(stage, { tools: [WEATHER_TOOL], tool_choice: 'required', messages: TOOL_TURNS })
    expect(sentTo(stage).body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'weather', description: 'Tells the weather' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      contents: [
        { role: 'user' },
        {
          role: 'model',
          parts: [
            { text: 'Let me see.' },
            { functionCall: { name: 'weather', args: { city: 'Oslo' } } },
            { functionCall: { name: 'weather', args: { city: 'Rome' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'weather', response: { content: 'Snow' } } },
            { functionResponse: { name: 'weather', response: { content: 'Sun' } } },
          ],
        },
      ],
    })
  })

  test('a JSON schema, and JSON without one', async () => {
    await ask(stage, { response_format: PLACE_FORMAT })
    expect(sentTo(stage).body.generationConfig).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
    })
    await ask(stage, { response_format: { type: 'json_object' } })
    expect(sentTo(stage).body.generationConfig).toMatchObject({ responseMimeType: 'application/json' })
  })

  test('how hard to think, and that thoughts are wanted', async () => {
    await ask(stage, { reasoning_effort: 'low' })
    expect(sentTo(stage).body.generationConfig).toMatchObject({
      thinkingConfig: { thinkingLevel: 'low', includeThoughts: true },
    })
  })

  test('what goes unused is told', async () => {
    const { response } = await stage.client.chat.completions
      .create({
        ...HELLO,
        user: 'u-1',
        tools: [{ ...WEATHER_TOOL, function: { ...WEATHER_TOOL.function, strict: true } }],
      })
      .withResponse()
    expect(response.headers.get('x-goldweight-warnings')).toBe(
      'not passed on: user; not passed on: strict tools',
    )
  })
})

describe('what can not be carried over is refused by name, and nothing is sent', () => {
  test.each([
    ['parallel_tool_calls', { tools: [WEATHER_TOOL], parallel_tool_calls: false }],
    ['messages.1', { messages: [...HELLO.messages, { role: 'system', content: 'Late' }] }],
    [
      'messages.0.content.0.image_url.url',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://example.org/cat.png' } }] },
        ],
      },
    ],
    [
      'messages.2.content.0.image_url.url',
      {
        tools: [WEATHER_TOOL],
        messages: [
          ...TOOL_TURNS.slice(0, 2),
          {
            role: 'tool',
            tool_call_id: 'call_1',
            content: [{ type: 'image_url', image_url: { url: 'https://internal.example/secret.png' } }],
          },
        ],
      },
    ],
    ['n', { n: 2 }],
  ])('%s', async (field, extra) => {
    const error = await apiErrorOf(ask(stage, extra))
    expect(error.status).toBe(400)
    expect(error.message).toContain(`${field}: `)
    expect(stage.upstream.requests).toEqual([])
    await stage.expectFree()
  })
})

describe('whole answers', () => {
  test('a text with thoughts, which are charged as output', async () => {
    answerWith([{ text: 'Hm.', thought: true }, { text: 'Hello!' }], {
      usage: {
        promptTokenCount: 500,
        cachedContentTokenCount: 400,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 64,
        totalTokenCount: 571,
      },
    })
    const answer = await ask(stage)
    expect(answer).toMatchObject({
      choices: [{ message: { content: 'Hello!', reasoning_content: 'Hm.' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 500,
        completion_tokens: 71,
        prompt_tokens_details: { cached_tokens: 400 },
        completion_tokens_details: { reasoning_tokens: 64 },
      },
    })
    await stage.expectCharged(100, 400, 0, 71)
  })

  test('a call of a tool with its signature, which comes back in the next turn', async () => {
    answerWith([
      { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'signed-by-google' },
    ])
    const { choices } = await ask(stage, { tools: [WEATHER_TOOL] })
    const message = choices[0]?.message
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    const [call] = message?.tool_calls ?? []
    if (call?.type !== 'function') throw new Error('A call is due')
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Oslo' })
    answerWith([{ text: 'Snow.' }])
    await ask(stage, {
      tools: [WEATHER_TOOL],
      messages: [...HELLO.messages, message, { role: 'tool', tool_call_id: call.id, content: 'Snow' }],
    })
    expect(sentTo(stage).body.contents).toMatchObject([
      { role: 'user' },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'signed-by-google' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'weather' } }] },
    ])
  })

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['LANGUAGE', 'LANGUAGE'],
  ])('%s is told as %s', async (finishReason, told) => {
    answerWith([{ text: 'Well' }], { finishReason })
    expect((await ask(stage)).choices[0]?.finish_reason).toBe(told)
  })

  test('a prompt that was blocked is no failure: it is told, and charged as the upstream reports', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, {
        promptFeedback: { blockReason: 'SAFETY' },
        usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
      }),
    )
    const { choices } = await ask(stage)
    expect(choices[0]).toMatchObject({ message: { content: '' }, finish_reason: 'content_filter' })
    await stage.expectCharged(9, 0, 0, 0)
  })

  test('a call that it could not write down is a failure', async () => {
    answerWith([], { finishReason: 'MALFORMED_FUNCTION_CALL' })
    expect(await apiErrorOf(ask(stage))).toMatchObject({ status: 502, type: 'upstream_error' })
    await stage.expectFree()
  })

  test('pages that it searched', async () => {
    answerWith([{ text: 'It rains.' }], {
      more: {
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://example.org/rain', title: 'Rain' } }],
          webSearchQueries: ['rain'],
        },
      },
    })
    const { choices } = await ask(stage)
    expect(choices[0]?.message.annotations).toMatchObject([
      { type: 'url_citation', url_citation: { url: 'https://example.org/rain', title: 'Rain' } },
    ])
  })

  test('a picture that it drew', async () => {
    answerWith([{ text: 'Here:' }, { inlineData: { mimeType: 'image/png', data: PIXEL } }])
    const { choices } = await ask(stage)
    expect(choices[0]?.message).toMatchObject({
      content: 'Here:',
      images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }],
    })
  })
})

describe('streams', () => {
  function streamWith(events: readonly object[]): void {
    stage.upstream.respond((_request, response) => {
      writeGeminiEvents(response, events)
      response.end()
    })
  }

  test('the last of the reports counts, and none is added to another', async () => {
    streamWith([
      geminiPiece([{ text: 'Hm.', thought: true }], { promptTokenCount: 20, thoughtsTokenCount: 30 }),
      geminiPiece([{ text: 'Hel' }], {
        promptTokenCount: 20,
        candidatesTokenCount: 1,
        thoughtsTokenCount: 30,
      }),
      geminiReply([{ text: 'lo!' }], {
        usage: { promptTokenCount: 20, candidatesTokenCount: 7, thoughtsTokenCount: 30, totalTokenCount: 57 },
      }),
    ])
    expect(await askStreamed(stage)).toMatchObject({
      text: 'Hello!',
      reasoning: 'Hm.',
      finishReasons: ['stop'],
      usage: { prompt_tokens: 20, completion_tokens: 37 },
    })
    await stage.expectCharged(20, 0, 0, 37)
  })

  test('calls of tools at once, each with an index of its own, and the signature of the first', async () => {
    streamWith([
      geminiPiece([
        { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'signed-by-google' },
        { functionCall: { name: 'weather', args: { city: 'Rome' } } },
      ]),
      geminiReply([{ text: '' }]),
    ])
    const answer = await askStreamed(stage, { tools: [WEATHER_TOOL] })
    expect(answer.finishReasons).toEqual(['tool_calls'])
    expect(answer.toolCalls.map(call => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['weather', { city: 'Oslo' }],
      ['weather', { city: 'Rome' }],
    ])
    expect(answer.toolCalls[0]?.extra).toMatchObject({ google: { thought_signature: expect.any(String) } })
    expect(new Set(answer.toolCalls.map(call => call.id)).size).toBe(2)
  })

  test('an answer that goes on in a second request is one answer, with the tokens of both', async () => {
    stage.upstream.respond(({ body }, response) => {
      writeGeminiEvents(response, [
        'continuationToken' in body
          ? geminiReply([{ text: 'end.' }])
          : geminiReply([{ text: 'The ' }], {
              finishReason: 'CONTINUATION',
              more: { continuationToken: 'go-on' },
            }),
      ])
      response.end()
    })
    expect(await askStreamed(stage)).toMatchObject({ text: 'The end.', finishReasons: ['stop'] })
    await stage.expectCharged(40, 0, 0, 14)
  })
})

test('a key of ours that is not valid is our fault, though the upstream calls it a bad request', async () => {
  stage.upstream.respond((_request, response) =>
    sendJson(
      response,
      {
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
          details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
        },
      },
      400,
    ),
  )
  expect(await apiErrorOf(ask(stage))).toMatchObject({ status: 502, type: 'upstream_error' })
  await stage.expectFree()
})

describeFailures(() => stage, {
  errorBody: (status, message) => ({ error: { code: 0, message, status } }),
  answer: response => sendJson(response, geminiReply([{ text: 'Hello!' }])),
  begin: response => writeGeminiEvents(response, []),
  content: (response, text) => writeGeminiEvents(response, [geminiPiece([{ text }])]),
  finish: response => writeGeminiEvents(response, [geminiReply([{ text: '' }])]),
  error: (response, { type, message }) =>
    writeGeminiEvents(response, [{ error: { code: 503, message, status: type } }]),
  overloaded: 'UNAVAILABLE',
})
