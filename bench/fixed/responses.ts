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

const prompt = TOKENS.plain + TOKENS.cached
const usage = {
  input_tokens: prompt,
  input_tokens_details: { cached_tokens: TOKENS.cached },
  output_tokens: TOKENS.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: prompt + TOKENS.output,
}

const response = {
  id: 'resp_fixed0000000000000000',
  object: 'response',
  created_at: 1_760_000_000,
  model: 'fixed-chat',
  error: null,
}
const itemId = 'msg_fixed0000000000000000'
const place = { item_id: itemId, output_index: 0, content_index: 0 }

function item(status: 'in_progress' | 'completed', content: readonly object[]) {
  return { id: itemId, type: 'message', status, role: 'assistant', content }
}

const part = (text: string) => ({ type: 'output_text', text, annotations: [] })

function event(body: { readonly type: string } & Record<string, unknown>): string {
  return `event: ${body.type}\ndata: ${JSON.stringify({ ...body, sequence_number: 1 })}\n\n`
}

/** OpenAI's Responses. */
export const RESPONSES_WIRE: FixedWire = {
  reply: wholeReply({
    ...response,
    status: 'completed',
    output: [item('completed', [part(ANSWER)])],
    usage,
  }),
  streamHead:
    STREAM_HEAD +
    transferChunk(
      event({
        type: 'response.created',
        response: { ...response, status: 'in_progress', output: [], usage: null },
      }) +
        event({ type: 'response.output_item.added', output_index: 0, item: item('in_progress', []) }) +
        event({ type: 'response.content_part.added', ...place, part: part('') }),
    ),
  contentChunk: stamper(event({ type: 'response.output_text.delta', ...place, delta: STAMP })),
  streamTail:
    transferChunk(
      event({ type: 'response.output_text.done', ...place, text: ANSWER }) +
        event({ type: 'response.content_part.done', ...place, part: part(ANSWER) }) +
        event({
          type: 'response.output_item.done',
          output_index: 0,
          item: item('completed', [part(ANSWER)]),
        }) +
        event({
          type: 'response.completed',
          response: { ...response, status: 'completed', output: [item('completed', [part(ANSWER)])], usage },
        }),
    ) + transferChunk(''),
}
