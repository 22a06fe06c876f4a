/** What the AI SDK's provider for compatible servers makes of the gateway. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  embed,
  embedMany,
  generateObject,
  generateText,
  Output,
  stepCountIs,
  streamText,
  tool,
} from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MODEL, type Stage, startStage } from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk, chatReply, sendJson, usageChunk } from '#test/support/upstream.ts'

let stage: Stage
let provider: ReturnType<typeof createOpenAICompatible>
beforeAll(async () => {
  stage = await startStage()
  provider = createOpenAICompatible({
    name: 'goldweight',
    baseURL: `${stage.gateway.url}/v1`,
    apiKey: stage.caller.token,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.respond(answerWell)
  stage.upstream.requests.length = 0
})

const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
})
const weather = tool({
  description: 'Tells the weather',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Rain in ${city}`,
})

test('generateText', async () => {
  const { text, usage, finishReason, response } = await generateText({ model: provider(MODEL), prompt: 'Hi' })
  expect(text).toBe('Hello there!')
  expect(finishReason).toBe('stop')
  expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
  expect(response.modelId).toBe(MODEL)
})

test('streamText, with the usage that it asks for', async () => {
  const result = streamText({ model: provider(MODEL), prompt: 'Hi' })
  const pieces = []
  for await (const piece of result.textStream) pieces.push(piece)
  expect(pieces).toEqual(['Hello', ' there', '!'])
  expect(await result.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
  expect(await result.finishReason).toBe('stop')
})

describe('tools', () => {
  test('are called, and their results go up', async () => {
    stage.upstream.respond((_request, response) => {
      if (stage.upstream.requests.length > 1) return sendJson(response, chatReply('It rains.'))
      return sendJson(response, {
        ...chatReply(''),
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, tool_calls: [call('call_1', 'Oslo')] },
            finish_reason: 'tool_calls',
          },
        ],
      })
    })
    const { text, steps } = await generateText({
      model: provider(MODEL),
      prompt: 'Weather?',
      tools: { weather },
      stopWhen: stepCountIs(3),
    })
    expect(text).toBe('It rains.')
    expect(steps[0]?.toolCalls).toMatchObject([
      { toolCallId: 'call_1', toolName: 'weather', input: { city: 'Oslo' } },
    ])
    expect(stage.upstream.requests[0]?.body.tools).toMatchObject([
      { type: 'function', function: { name: 'weather' } },
    ])
    expect(stage.upstream.requests[1]?.body.messages).toMatchObject([
      {},
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('Rain in Oslo') },
    ])
  })

  test('are called from a stream', async () => {
    const { id, function: made } = call('call_1', 'Oslo')
    stage.upstream.respond((_request, response) => {
      beginSse(response, [
        chatChunk({
          role: 'assistant',
          tool_calls: [{ index: 0, id, type: 'function', function: { name: made.name, arguments: '' } }],
        }),
        ...[...made.arguments].map(letter =>
          chatChunk({ tool_calls: [{ index: 0, function: { arguments: letter } }] }),
        ),
        chatChunk({}, 'tool_calls'),
        usageChunk(),
        '[DONE]',
      ])
      response.end()
    })
    const result = streamText({ model: provider(MODEL), prompt: 'Weather?', tools: { weather } })
    await result.consumeStream()
    expect(await result.toolCalls).toMatchObject([{ toolCallId: 'call_1', input: { city: 'Oslo' } }])
    expect(await result.toolResults).toMatchObject([{ output: 'Rain in Oslo' }])
  })
})

describe('structured output', () => {
  const schema = z.object({ city: z.string(), degrees: z.number() })
  const report = { city: 'Oslo', degrees: -3 }
  beforeEach(() =>
    stage.upstream.respond((_request, response) => sendJson(response, chatReply(JSON.stringify(report)))),
  )
  const expectSchemaSent = () =>
    expect(stage.upstream.requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: { required: ['city', 'degrees'] } },
    })

  test('as an object', async () => {
    const { object } = await generateObject({ model: provider(MODEL), prompt: 'Weather?', schema })
    expect(object).toEqual(report)
    expectSchemaSent()
  })

  test('as the output of a text', async () => {
    const { output } = await generateText({
      model: provider(MODEL),
      prompt: 'Weather?',
      output: Output.object({ schema }),
    })
    expect(output).toEqual(report)
    expectSchemaSent()
  })
})

describe('embeddings', () => {
  test('of one value', async () => {
    const { embedding, usage } = await embed({ model: provider.embeddingModel(MODEL), value: 'one' })
    expect(embedding).toEqual([0.25, -0.5, 1])
    expect(usage.tokens).toBe(8)
  })

  test('of many', async () => {
    const { embeddings } = await embedMany({
      model: provider.embeddingModel(MODEL),
      values: ['one', 'two', 'three'],
    })
    expect(embeddings).toHaveLength(3)
  })
})

describe('errors', () => {
  test('are API call errors with our status and message', async () => {
    const failing = generateText({ model: provider('none'), prompt: 'Hi', maxRetries: 0 })
    const error = await failing.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(APICallError.isInstance(error) && [error.statusCode, error.isRetryable, error.message]).toEqual([
      404,
      false,
      expect.stringContaining('none'),
    ])
  })

  test('within a stream are seen', async () => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [chatChunk({ content: 'Hel' })])
      response.write(':\n\n', () => response.socket?.destroy())
    })
    const errors: unknown[] = []
    const result = streamText({
      model: provider(MODEL),
      prompt: 'Hi',
      onError: ({ error }) => void errors.push(error),
    })
    await result.consumeStream()
    expect(errors).toHaveLength(1)
    expect(await result.finishReason).toBe('error')
  })
})
