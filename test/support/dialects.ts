/** What each of the callers' dialects looks like on the wire, where caller and upstream speak the same one. */
import { chatStream, event } from './upstream.ts'

export type WireDialect = {
  readonly name: 'chat' | 'messages' | 'responses'
  /** The kind of provider that speaks it. */
  readonly kind: 'openai' | 'anthropic'
  /** The path of the route, which is also where the upstream serves it below its base URL's host. */
  readonly path: string
  /** A request for the model; `stream` asks for a stream. */
  body(model: string, stream: boolean): Record<string, unknown>
  /** A whole answer under the upstream's name of the model: 10 tokens in, 5 out. */
  reply(model: string): Record<string, unknown>
  /** The events of a stream with the text `Hello there!`, each as it goes over the wire. */
  readonly events: readonly string[]
  /** How many of the events have gone out when the first piece of content has. */
  readonly contentAt: number
  /** From this event on the answer is complete, and nothing goes out before it is charged. */
  readonly completeAt: number
  /** An error in place of an event. */
  readonly errorEvent: string
  /** The text that a client gathers from what it received. */
  textOf(received: string): string
  /** Whether a client takes what it received for a whole answer. */
  isWhole(received: string): boolean
  /** Whether the last event is an error in this dialect. */
  endsInError(received: string): boolean
}

const UPSTREAM_MODEL = 'upstream-model'
const WORDS = ['Hello', ' there', '!']

/** An event with a name, as Anthropic and OpenAI's Responses send them. */
export function namedEvent(data: { readonly type: string }): string {
  return `event: ${data.type}\n${event(data)}`
}

/** The names and data of all events, read as the standard says. */
export function namedEventsOf(text: string): { name: string | null; data: Record<string, unknown> }[] {
  return text
    .split(/\r\n\r\n|\n\n/)
    .map(block => block.split(/\r\n|\n/))
    .flatMap(lines => {
      const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice(5).trim())
      const name =
        lines
          .find(line => line.startsWith('event:'))
          ?.slice(6)
          .trim() ?? null
      return data.length === 0 || data[0] === '[DONE]' ? [] : [{ name, data: JSON.parse(data.join('\n')) }]
    })
}

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: UPSTREAM_MODEL,
}
const MESSAGE_USAGE = {
  input_tokens: 6,
  cache_creation_input_tokens: 3,
  cache_read_input_tokens: 1,
  service_tier: 'standard',
}

export const messagesWire: WireDialect = {
  name: 'messages',
  kind: 'anthropic',
  path: '/v1/messages',
  body: (model, stream) => ({
    model,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Say hello' }],
    ...(stream ? { stream: true } : {}),
  }),
  reply: model => ({
    ...MESSAGE,
    model,
    content: [{ type: 'text', text: WORDS.join('') }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { ...MESSAGE_USAGE, output_tokens: 5 },
  }),
  events: [
    {
      type: 'message_start',
      message: {
        ...MESSAGE,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...MESSAGE_USAGE, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...WORDS.map(text => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ].map(namedEvent),
  contentAt: 4,
  completeAt: 7,
  errorEvent: namedEvent({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as {
    type: string
  }),
  textOf: received =>
    namedEventsOf(received)
      .map(({ data }) => (data.delta as { text?: string } | undefined)?.text ?? '')
      .join(''),
  isWhole: received => namedEventsOf(received).at(-1)?.name === 'message_stop',
  endsInError: received => {
    const last = namedEventsOf(received).at(-1)
    const { error, request_id: id } = (last?.data ?? {}) as { error?: { type: string }; request_id?: string }
    return last?.name === 'error' && last.data.type === 'error' && !!error?.type && /^req_/.test(id ?? '')
  },
}

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: UPSTREAM_MODEL,
  error: null,
}
const RESPONSE_USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 1, cache_write_tokens: 3 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 15,
}
const OUTPUT_ITEM = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: WORDS.join(''), annotations: [] }],
}
const AT = { item_id: 'msg_1', output_index: 0, content_index: 0 }

export const responsesWire: WireDialect = {
  name: 'responses',
  kind: 'openai',
  path: '/v1/responses',
  body: (model, stream) => ({ model, input: 'Say hello', ...(stream ? { stream: true } : {}) }),
  reply: model => ({ ...RESPONSE, model, status: 'completed', output: [OUTPUT_ITEM], usage: RESPONSE_USAGE }),
  events: [
    { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [], usage: null } },
    {
      type: 'response.in_progress',
      response: { ...RESPONSE, status: 'in_progress', output: [], usage: null },
    },
    { type: 'response.output_item.added', output_index: 0, item: { ...OUTPUT_ITEM, content: [] } },
    { type: 'response.content_part.added', ...AT, part: { type: 'output_text', text: '', annotations: [] } },
    ...WORDS.map(delta => ({ type: 'response.output_text.delta', ...AT, delta })),
    { type: 'response.output_text.done', ...AT, text: WORDS.join('') },
    { type: 'response.output_item.done', output_index: 0, item: OUTPUT_ITEM },
    {
      type: 'response.completed',
      response: { ...RESPONSE, status: 'completed', output: [OUTPUT_ITEM], usage: RESPONSE_USAGE },
    },
  ].map((data, sequence_number) => namedEvent({ ...data, ...{ sequence_number } })),
  contentAt: 5,
  completeAt: 9,
  errorEvent: namedEvent({ type: 'error', code: 'server_error', message: 'Oops', param: null } as {
    type: string
  }),
  textOf: received =>
    namedEventsOf(received)
      .map(({ data }) => (data.type === 'response.output_text.delta' ? data.delta : ''))
      .join(''),
  isWhole: received => namedEventsOf(received).at(-1)?.name === 'response.completed',
  endsInError: received => {
    const events = namedEventsOf(received)
    const last = events.at(-1)
    const numbers = events.map(({ data }) => data.sequence_number)
    return (
      last?.name === 'error' &&
      last.data.type === 'error' &&
      typeof last.data.code === 'string' &&
      // Numbered on from the events before it.
      numbers.every((number, index) => number === index)
    )
  },
}

export const chatWire: WireDialect = {
  name: 'chat',
  kind: 'openai',
  path: '/v1/chat/completions',
  body: (model, stream) => ({
    model,
    messages: [{ role: 'user', content: 'Say hello' }],
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }),
  reply: model => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: WORDS.join('') }, finish_reason: 'stop' }],
    usage: chatUsage(),
  }),
  events: chatStream(WORDS, { usage: chatUsage() }).map(event),
  contentAt: 2,
  completeAt: 4,
  errorEvent: event({ error: { message: 'Oops', type: 'server_error' } }),
  textOf: received =>
    namedEventsOf(received)
      .map(({ data }) => (data.choices as { delta?: { content?: string } }[])?.[0]?.delta?.content ?? '')
      .join(''),
  isWhole: received => received.trimEnd().endsWith('data: [DONE]'),
  endsInError: received => 'error' in (namedEventsOf(received).at(-1)?.data ?? {}),
}

function chatUsage() {
  return {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 1, cache_write_tokens: 3 },
  }
}

export const WIRE_DIALECTS = [chatWire, messagesWire, responsesWire] as const
