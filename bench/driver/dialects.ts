/** What the driver says and expects in each of the callers' dialects. */

export const DIALECT_NAMES = ['chat', 'messages', 'responses'] as const
export type DialectName = (typeof DIALECT_NAMES)[number]

export type Dialect = {
  readonly path: string
  /** The fields of a question, in the order in which they are sent. */
  question(text: string): Record<string, unknown>
  /** The fields that ask for a stream of so many pieces of content. */
  streaming(chunks: number): Record<string, unknown>
  /** Where a whole reply has its text, and one of its counts with what that is. */
  readonly textAt: readonly (string | number)[]
  readonly countAt: readonly string[]
  readonly count: number
  /** What stands before the time in a piece of content. */
  readonly stampMark: string
  /** The names of events that may come before content, and of those that must come after it. */
  readonly openings: readonly string[]
  readonly endings: readonly string[]
  nameOf(event: string): string
}

const INSTRUCTIONS = 'You answer briefly.'

/** The name of an event that has one; else what it says, for the message that it should not be there. */
function nameOfNamed(event: string): string {
  return /^event: ([\w.]+)\n/.exec(event)?.[1] ?? event.slice(0, 300)
}

function nameOfChat(event: string): string {
  // A translated stream begins with a piece that says whose answer it is, and nothing else.
  if (event.includes('"delta":{"role":"assistant","content":""')) return 'role'
  if (event === 'data: [DONE]') return 'done'
  if (event.includes('"finish_reason":"stop"')) return 'finish'
  if (event.includes('"usage":{')) return 'usage'
  return event.slice(0, 300)
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  chat: {
    path: '/v1/chat/completions',
    question: text => ({
      messages: [
        { role: 'system', content: INSTRUCTIONS },
        { role: 'user', content: text },
      ],
    }),
    streaming: chunks => ({
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: chunks,
    }),
    textAt: ['choices', 0, 'message', 'content'],
    countAt: ['usage', 'total_tokens'],
    count: 252,
    stampMark: '"content":"@',
    openings: ['role'],
    endings: ['finish', 'usage', 'done'],
    nameOf: nameOfChat,
  },
  messages: {
    path: '/v1/messages',
    question: text => ({
      max_tokens: 1024,
      system: INSTRUCTIONS,
      messages: [{ role: 'user', content: text }],
    }),
    streaming: chunks => ({ stream: true, max_tokens: chunks }),
    textAt: ['content', 0, 'text'],
    countAt: ['usage', 'output_tokens'],
    count: 40,
    stampMark: '"text":"@',
    openings: ['message_start', 'content_block_start'],
    endings: ['content_block_stop', 'message_delta', 'message_stop'],
    nameOf: nameOfNamed,
  },
  responses: {
    path: '/v1/responses',
    question: text => ({ instructions: INSTRUCTIONS, input: text }),
    streaming: chunks => ({ stream: true, max_output_tokens: chunks }),
    textAt: ['output', 0, 'content', 0, 'text'],
    countAt: ['usage', 'total_tokens'],
    count: 252,
    stampMark: '"delta":"@',
    openings: ['response.created', 'response.output_item.added', 'response.content_part.added'],
    endings: [
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ],
    nameOf: nameOfNamed,
  },
}
