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
const sent = () => stage.upstream.requests.at(-1)

describe('what is sent', () => {
  beforeEach(() => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, anthropicMessage([{ type: 'text', text: 'Hello!' }])),
    )
  })

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
    expect(sent()?.headers.authorization).toBeUndefined()
  })
})

test('a whole answer', async () => {
  stage.upstream.respond((_request, response) =>
    sendJson(response, anthropicMessage([{ type: 'text', text: 'Hello!' }])),
  )
  const answer = await stage.client.chat.completions.create(hello)
  expect(answer).toMatchObject({
    object: 'chat.completion',
    model: PUBLIC_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
  })
  await stage.expectCharged(20, 0, 0, 7)
})

test('a stream', async () => {
  stage.upstream.respond((_request, response) => {
    writeAnthropicEvents(response, [
      anthropicStart(),
      { type: 'ping' },
      ...anthropicText(0, ['Hel', 'lo!']),
      ...anthropicEnd(),
    ])
    response.end()
  })
  const stream = await stage.client.chat.completions.create({
    ...hello,
    stream: true,
    stream_options: { include_usage: true },
  })
  expect(await collectStream(stream)).toMatchObject({
    text: 'Hello!',
    finishReasons: ['stop'],
    usage: { prompt_tokens: 20, completion_tokens: 7 },
    models: new Set([PUBLIC_MODEL]),
  })
  await stage.expectCharged(20, 0, 0, 7)
})
