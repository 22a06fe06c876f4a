/**
 * The libraries that applications call us with, before upstreams that others wrote a mock of: whatever both ends understand
 * of each other is not of our making. Each caller asks for a text, a stream and a call of a tool, in its own dialect.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { LLMock } from '@copilotkit/aimock'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestRecord } from '#domains/usage/request-record.ts'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { WEATHER_TOOL } from './chat-calls.ts'
import { MOCK_USAGE } from './mock-upstream.ts'

const HELLO = 'Hello there, how are you?'
const CITY = { city: 'Oslo' }
const SCHEMA = { ...WEATHER_TOOL.function.parameters, type: 'object' as const }

/** Kind, what its base URL has after the mock's address, and the upstream's name of the model. */
const UPSTREAMS = [
  ['openai', '/v1', 'gpt-5.4-mini'],
  ['anthropic', '/v1', 'claude-sonnet-4-5'],
  ['gemini', '/v1beta', 'gemini-2.5-flash'],
] as const

let mock: LLMock
let gateway: TestGateway
let caller: NewCaller
beforeAll(async () => {
  mock = new LLMock({ port: 0, logLevel: 'silent' })
  mock.onMessage('Hello', { content: HELLO, usage: MOCK_USAGE }).onMessage('Weather', {
    toolCalls: [{ name: 'weather', arguments: JSON.stringify(CITY) }],
    usage: MOCK_USAGE,
  })
  await mock.start()
  gateway = await startGateway()
  for (const [kind, path, upstreamModel] of UPSTREAMS) {
    const routes = [{ kind, baseUrl: mock.url + path, upstreamModel }]
    await makeModel(gateway.admin, kind, { routes })
  }
  caller = await makeCaller(gateway.admin, { credits: 1_000 })
})
afterAll(async () => {
  expectBooksToAddUp(await readBooks(gateway.app.storage, caller.accountId))
  await gateway.close()
  await mock.stop()
})

/** What every library can do, each in its own words. */
type Library = {
  text(model: string): Promise<string>
  stream(model: string): Promise<string>
  /** The arguments of the tool that was called. */
  toolCall(model: string): Promise<unknown>
}

const baseURL = () => `${gateway.url}/v1`
const say = (content: string) => [{ role: 'user' as const, content }]

function openaiChat(): Library {
  const { chat } = new OpenAI({ apiKey: caller.token, baseURL: baseURL(), maxRetries: 0 })
  return {
    text: async model =>
      (await chat.completions.create({ model, messages: say('Hello') })).choices[0]?.message.content ?? '',
    stream: async model =>
      (await chat.completions.stream({ model, messages: say('Hello') }).finalContent()) ?? '',
    toolCall: async model => {
      const { choices } = await chat.completions.create({
        model,
        messages: say('Weather'),
        tools: [WEATHER_TOOL],
      })
      const [call] = choices[0]?.message.tool_calls ?? []
      return call?.type === 'function' && JSON.parse(call.function.arguments)
    },
  }
}

function openaiResponses(): Library {
  const { responses } = new OpenAI({ apiKey: caller.token, baseURL: baseURL(), maxRetries: 0 })
  return {
    text: async model => (await responses.create({ model, input: 'Hello' })).output_text,
    stream: async model => (await responses.stream({ model, input: 'Hello' }).finalResponse()).output_text,
    toolCall: async model => {
      const { output } = await responses.create({
        model,
        input: 'Weather',
        tools: [{ type: 'function', name: 'weather', parameters: SCHEMA, strict: false }],
      })
      const call = output.find(item => item.type === 'function_call')
      return call && JSON.parse(call.arguments)
    },
  }
}

function anthropic(): Library {
  const { messages } = new Anthropic({ apiKey: caller.token, baseURL: gateway.url, maxRetries: 0 })
  const textOf = ({ content }: Anthropic.Message) =>
    content.map(block => (block.type === 'text' ? block.text : '')).join('')
  const ask = { max_tokens: 100, messages: say('Hello') }
  return {
    text: async model => textOf(await messages.create({ model, ...ask })),
    stream: async model => textOf(await messages.stream({ model, ...ask }).finalMessage()),
    toolCall: async model => {
      const { content } = await messages.create({
        model,
        max_tokens: 100,
        messages: say('Weather'),
        tools: [{ name: 'weather', input_schema: SCHEMA }],
      })
      return content.find(block => block.type === 'tool_use')?.input
    },
  }
}

const ONCE = { maxRetries: 0, maxOutputTokens: 100 }

function aiSdk(modelOf: (name: string) => LanguageModel): Library {
  const weather = tool({ inputSchema: jsonSchema<typeof CITY>(SCHEMA) })
  return {
    text: async name => (await generateText({ model: modelOf(name), prompt: 'Hello', ...ONCE })).text,
    stream: name => Promise.resolve(streamText({ model: modelOf(name), prompt: 'Hello', ...ONCE }).text),
    toolCall: async name => {
      const options = { model: modelOf(name), prompt: 'Weather', tools: { weather }, ...ONCE }
      return (await generateText(options)).toolCalls[0]?.input
    },
  }
}

function langChain(useResponsesApi: boolean): Library {
  const model = (name: string) =>
    new ChatOpenAI({
      model: name,
      apiKey: caller.token,
      configuration: { baseURL: baseURL() },
      maxRetries: 0,
      useResponsesApi,
    })
  return {
    text: async name => (await model(name).invoke('Hello')).text,
    stream: async name => {
      let text = ''
      for await (const chunk of await model(name).stream('Hello')) text += chunk.text
      return text
    },
    toolCall: async name =>
      (await model(name).bindTools([WEATHER_TOOL]).invoke('Weather')).tool_calls?.[0]?.args,
  }
}

const LIBRARIES: readonly [name: string, endpoint: string, make: () => Library][] = [
  ['openai, chat', 'chat', openaiChat],
  ['openai, responses', 'responses', openaiResponses],
  ['@anthropic-ai/sdk', 'messages', anthropic],
  [
    'ai with @ai-sdk/openai, chat',
    'chat',
    () => aiSdk(createOpenAI({ apiKey: caller.token, baseURL: baseURL() }).chat),
  ],
  [
    'ai with @ai-sdk/openai, responses',
    'responses',
    () => aiSdk(createOpenAI({ apiKey: caller.token, baseURL: baseURL() }).responses),
  ],
  [
    'ai with @ai-sdk/anthropic',
    'messages',
    () => aiSdk(createAnthropic({ apiKey: caller.token, baseURL: baseURL() })),
  ],
  ['LangChain, chat', 'chat', () => langChain(false)],
  ['LangChain, responses', 'responses', () => langChain(true)],
]

describe.each(LIBRARIES)('%s', (_name, endpoint, make) => {
  test.each(UPSTREAMS.map(([kind]) => kind))('before %s: a text, a stream, a call of a tool', async model => {
    const library = make()
    expect(await library.text(model)).toBe(HELLO)
    expect(await library.stream(model)).toBe(HELLO)
    expect(await library.toolCall(model)).toEqual(CITY)
    const { data } = await gateway.admin.call<{ data: RequestRecord[] }>('GET', '/admin/requests?limit=3')
    const succeeded = { endpoint, model, status: 'succeeded', usage_source: 'upstream' }
    expect(data.map(({ stream }) => stream)).toEqual([false, true, false])
    for (const record of data) {
      expect(record).toMatchObject(succeeded)
      expect(record.credits).toBeGreaterThan(0)
    }
  })
})
