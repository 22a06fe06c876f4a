import {
  ANSWER,
  type FixedWire,
  STAMP,
  STREAM_HEAD,
  stamper,
  TOKENS,
  transferChunk,
  wholeReply,
} from './wire.ts'

/** As long as the public name in driver/requests.ts, so that a rewritten reply keeps its length. */
export const UPSTREAM_MODEL = 'fixed-chat'

/** Credits per million tokens; chosen so that a charge is a whole number of micro-credits. */
export const WEIGHTS = { input: 2.5, cache_read: 0.25, cache_write: 3, output: 10 } as const

/** What one request costs, a weight of 1 being one micro-credit a token. */
export const CHARGE_MICROS =
  TOKENS.plain * WEIGHTS.input + TOKENS.cached * WEIGHTS.cache_read + TOKENS.output * WEIGHTS.output

const prompt = TOKENS.plain + TOKENS.cached
const usage = {
  prompt_tokens: prompt,
  completion_tokens: TOKENS.output,
  total_tokens: prompt + TOKENS.output,
  prompt_tokens_details: { cached_tokens: TOKENS.cached },
}

function event(choices: string, usageText: string): string {
  const head = `"id":"chatcmpl-fixed0000","object":"chat.completion.chunk","created":1760000000,"model":"${UPSTREAM_MODEL}"`
  return `data: {${head},"choices":[${choices}],"usage":${usageText}}\n\n`
}

/** OpenAI's chat completions: the bare proxy, the gateway and the check of the books rely on it. */
export const CHAT_WIRE: FixedWire = {
  reply: wholeReply({
    id: 'chatcmpl-fixed0000000000000000',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: UPSTREAM_MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
    usage,
  }),
  streamHead: STREAM_HEAD,
  contentChunk: stamper(event(`{"index":0,"delta":{"content":"${STAMP}"},"finish_reason":null}`, 'null')),
  streamTail:
    transferChunk(event('{"index":0,"delta":{},"finish_reason":"stop"}', 'null')) +
    transferChunk(event('', JSON.stringify(usage))) +
    transferChunk('data: [DONE]\n\n') +
    transferChunk(''),
}
