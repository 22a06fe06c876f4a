/** What the upstream answers, byte for byte: the bare proxy, the gateway and the check of the books rely on it. */

/** As long as the public name in driver/requests.ts, so that a rewritten reply keeps its length. */
export const UPSTREAM_MODEL = 'fixed-chat'

/** Every reply, streamed or not, reports the same tokens; some of the input was read from a cache. */
const usage = {
  prompt_tokens: 212,
  completion_tokens: 40,
  total_tokens: 252,
  prompt_tokens_details: { cached_tokens: 64 },
} as const

/** Credits per million tokens; chosen so that a charge is a whole number of micro-credits. */
export const WEIGHTS = { input: 2.5, cache_read: 0.25, cache_write: 3, output: 10 } as const

/** What one request costs: 148 input, 64 cache read and 40 output tokens, a weight of 1 being one micro-credit each. */
export const CHARGE_MICROS = 148 * WEIGHTS.input + 64 * WEIGHTS.cache_read + 40 * WEIGHTS.output

const chatReply = JSON.stringify({
  id: 'chatcmpl-fixed0000000000000000',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: UPSTREAM_MODEL,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'The same answer, whatever was asked. '.repeat(8).trim() },
      finish_reason: 'stop',
    },
  ],
  usage,
})

/** A whole HTTP reply to a call that does not stream. */
export const CHAT_REPLY = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${chatReply.length}\r\n\r\n${chatReply}`,
)

export const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n'

const STAMP_DIGITS = 16

function eventText(choices: string, usageText: string): string {
  const head = `"id":"chatcmpl-fixed0000","object":"chat.completion.chunk","created":1760000000,"model":"${UPSTREAM_MODEL}"`
  return `data: {${head},"choices":[${choices}],"usage":${usageText}}\n\n`
}

function transferChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

const [beforeStamp = '', afterStamp = ''] = transferChunk(
  eventText(`{"index":0,"delta":{"content":"@${'#'.repeat(STAMP_DIGITS)}"},"finish_reason":null}`, 'null'),
).split('#'.repeat(STAMP_DIGITS))

/** One piece of content; it carries the moment it was sent, in microseconds of the machine's monotonic clock. */
export function contentChunk(sentMicros: number): string {
  return beforeStamp + String(Math.floor(sentMicros)).padStart(STAMP_DIGITS, '0') + afterStamp
}

/** The end of a stream: finish reason, usage, `[DONE]`, and the end of the reply. */
export const STREAM_TAIL =
  transferChunk(eventText('{"index":0,"delta":{},"finish_reason":"stop"}', 'null')) +
  transferChunk(eventText('', JSON.stringify(usage))) +
  transferChunk('data: [DONE]\n\n') +
  transferChunk('')
