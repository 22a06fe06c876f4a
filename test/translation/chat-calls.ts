/** What the tests of all translated upstreams ask. */
import type OpenAI from 'openai'
import { collectStream, PUBLIC_MODEL, type TranslatedStage } from '#test/support/translated-stage.ts'

export const HELLO = { model: PUBLIC_MODEL, messages: [{ role: 'user' as const, content: 'Hi' }] }

export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const WEATHER_TOOL = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'Tells the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

/** A question, two calls of a tool at once, and their results. */
export const TOOL_TURNS: OpenAI.ChatCompletionMessageParam[] = [
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
]

export const PLACE_SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

export const PLACE_FORMAT = {
  type: 'json_schema' as const,
  json_schema: { name: 'place', schema: PLACE_SCHEMA, strict: true },
}

/** A body with members that the library's types do not know. */
export function asParams(body: object): OpenAI.ChatCompletionCreateParamsNonStreaming {
  // The service says what it makes of it, not the type.
  return body as OpenAI.ChatCompletionCreateParamsNonStreaming
}

export function ask({ client }: TranslatedStage, extra: object = {}) {
  return client.chat.completions.create(asParams({ ...HELLO, ...extra }))
}

export async function askStreamed({ client }: TranslatedStage, extra: object = {}) {
  const stream = await client.chat.completions.create({
    ...asParams({ ...HELLO, ...extra }),
    stream: true,
    stream_options: { include_usage: true },
  })
  return collectStream(stream)
}

/** The last request that the upstream was sent. */
export function sentTo({ upstream }: TranslatedStage) {
  const request = upstream.requests.at(-1)
  if (!request) throw new Error('Nothing was sent')
  return request
}
