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

const inputUsage = { input_tokens: TOKENS.plain, cache_read_input_tokens: TOKENS.cached }

const message = {
  id: 'msg_fixed0000000000000000',
  type: 'message',
  role: 'assistant',
  model: 'fixed-chat',
  stop_sequence: null,
}

function event(body: { readonly type: string } & Record<string, unknown>): string {
  return `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`
}

/** Anthropic's Messages. */
export const ANTHROPIC_WIRE: FixedWire = {
  reply: wholeReply({
    ...message,
    content: [{ type: 'text', text: ANSWER }],
    stop_reason: 'end_turn',
    usage: { ...inputUsage, output_tokens: TOKENS.output },
  }),
  streamHead:
    STREAM_HEAD +
    transferChunk(
      event({
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, usage: { ...inputUsage, output_tokens: 1 } },
      }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ),
  contentChunk: stamper(
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: STAMP } }),
  ),
  streamTail:
    transferChunk(
      event({ type: 'content_block_stop', index: 0 }) +
        event({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: TOKENS.output },
        }) +
        event({ type: 'message_stop' }),
    ) + transferChunk(''),
}
