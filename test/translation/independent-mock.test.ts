/**
 * The official OpenAI library as the caller, and as the upstream a mock of the upstreams' protocols that others wrote:
 * what both ends understand of each other is not of our making. Costs are proved over wires of our own, since the mock
 * leaves caches out of its reports.
 */
import { LLMock } from '@copilotkit/aimock'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestRecord } from '#domains/usage/request-record.ts'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { apiErrorOf, collectStream } from '#test/support/translated-stage.ts'
import { PIXEL, WEATHER_TOOL } from './chat-calls.ts'
import { MOCK_USAGE } from './mock-upstream.ts'

const AWS = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'a-secret-key', region: 'us-east-1' }

/** Kind, what its base URL has after the mock's address, credential, and the upstream's name of the model. */
const UPSTREAMS = [
  ['openai', '/v1', 'a-key', 'gpt-5.4-mini'],
  ['azure', '/openai?api-version=2024-10-21', 'a-key', 'gpt-4o'],
  ['anthropic', '/v1', 'a-key', 'claude-sonnet-4-5'],
  ['gemini', '/v1beta', 'a-key', 'gemini-2.5-flash'],
  ['vertex', '/v1/projects/p/locations/l', 'a-key', 'gemini-2.5-flash'],
  ['bedrock', '', 'a-key', 'anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['bedrock', '', AWS, 'amazon.nova-pro-v1:0'],
  ['cohere', '/v2', 'a-key', 'command-a-03-2025'],
  ['ollama', '/v1', null, 'llama3'],
] as const

/** What the mock's Gemini says of an answer that calls tools, and Google's never does. */
const CALLING_REASONS = ['tool_calls', 'FUNCTION_CALL']

let mock: LLMock
let gateway: TestGateway
let caller: NewCaller
let client: OpenAI
beforeAll(async () => {
  mock = new LLMock({ port: 0, logLevel: 'silent' })
  mock
    .onMessage('Hello', { content: 'Hello there, how are you?', finishReason: 'stop', usage: MOCK_USAGE })
    .onMessage('Weather', {
      toolCalls: [
        { name: 'weather', arguments: '{"city":"Oslo"}' },
        { name: 'weather', arguments: '{"city":"Rome"}' },
      ],
    })
    .onMessage('Think', { content: 'It is 4.', reasoning: 'Two and two.' })
    .onMessage('Fail', { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429 })
    .onEmbedding('Hello', { embedding: [0.25, -0.5, 1] })
  await mock.start()
  gateway = await startGateway()
  for (const [index, [kind, path, credential, upstreamModel]] of UPSTREAMS.entries()) {
    const provider = await gateway.admin.call<{ id: string }>('POST', '/admin/providers', {
      name: `${kind} ${index}`,
      kind,
      base_url: mock.url + path,
      credential,
    })
    await gateway.admin.call('POST', '/admin/models', {
      id: `model-${index}`,
      endpoints: ['chat', 'embeddings'],
      weights: { input: 2, cache_read: 1, cache_write: 3, output: 10 },
      routes: [{ provider_id: provider.id, upstream_model: upstreamModel }],
    })
  }
  caller = await makeCaller(gateway.admin, { credits: 1_000 })
  client = new OpenAI({ apiKey: caller.token, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  expectBooksToAddUp(await readBooks(gateway.app.storage, caller.accountId))
  await gateway.close()
  await mock.stop()
})

async function lastRecord(): Promise<RequestRecord> {
  const { data } = await gateway.admin.call<{ data: [RequestRecord] }>('GET', '/admin/requests?limit=1')
  return data[0]
}

describe.each(UPSTREAMS.map(([kind, , , model], index) => [kind, model, `model-${index}`] as const))(
  '%s, %s',
  (kind, _upstreamModel, model) => {
    const say = (content: OpenAI.ChatCompletionUserMessageParam['content']) => ({
      model,
      messages: [{ role: 'user' as const, content }],
    })

    test('a text, whole and streamed, charged by what the upstream reports', async () => {
      const answer = await client.chat.completions.create(say('Hello'))
      expect(answer).toMatchObject({
        model,
        choices: [{ message: { content: 'Hello there, how are you?' }, finish_reason: 'stop' }],
      })
      const { usage, usage_source } = await lastRecord()
      expect(usage_source).toBe('upstream')
      expect(answer.usage).toMatchObject({
        prompt_tokens: usage.input + usage.cache_read + usage.cache_write,
        completion_tokens: usage.output,
      })
      const stream = await client.chat.completions.create({
        ...say('Hello'),
        stream: true,
        stream_options: { include_usage: true },
      })
      const streamed = await collectStream(stream)
      expect(streamed).toMatchObject({ text: 'Hello there, how are you?', finishReasons: ['stop'] })
      expect(streamed.usage?.completion_tokens).toBe((await lastRecord()).usage.output)
    })

    test('a question with a picture', async () => {
      const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${PIXEL}` } }
      const answer = await client.chat.completions.create(say([{ type: 'text', text: 'Hello' }, image]))
      expect(answer.choices[0]?.message.content).toBe('Hello there, how are you?')
    })

    test('calls of tools, whole and streamed, and their results', async () => {
      const question = { ...say('Weather'), tools: [WEATHER_TOOL] }
      const { choices } = await client.chat.completions.create(question)
      const message = choices[0]?.message
      expect(CALLING_REASONS).toContain(choices[0]?.finish_reason)
      const cities = message?.tool_calls?.map(call =>
        call.type === 'function' ? JSON.parse(call.function.arguments).city : null,
      )
      expect(cities).toEqual(['Oslo', 'Rome'])
      const streamed = await collectStream(
        await client.chat.completions.create({ ...question, stream: true }),
      )
      expect(streamed.toolCalls.map(call => JSON.parse(call.arguments).city)).toEqual(['Oslo', 'Rome'])
      expect(CALLING_REASONS).toContain(streamed.finishReasons.join())
      if (!message) throw new Error('An answer is due')
      const results = (message.tool_calls ?? []).map(call => ({
        role: 'tool' as const,
        tool_call_id: call.id,
        content: 'Snow',
      }))
      const next = await client.chat.completions.create({
        ...question,
        messages: [...question.messages, message, ...results, { role: 'user', content: 'Hello' }],
      })
      expect(next.choices[0]?.message.content).toBe('Hello there, how are you?')
    })

    // The mock's OpenAI side leaves reasoning out of plain chat unless a model is known to give it.
    test.runIf(['anthropic', 'gemini', 'bedrock'].includes(kind))('reasoning', async () => {
      const stream = await client.chat.completions.create({ ...say('Think'), stream: true })
      expect(await collectStream(stream)).toMatchObject({ reasoning: 'Two and two.', text: 'It is 4.' })
    })

    test('a throttled call', async () => {
      const error = await apiErrorOf(client.chat.completions.create(say('Fail')))
      expect(error).toMatchObject({ status: 429, code: 'upstream_rate_limited' })
      expect(await lastRecord()).toMatchObject({ status: 'failed', credits: 0 })
    })
  },
)
