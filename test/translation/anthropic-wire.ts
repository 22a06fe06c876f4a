/** Anthropic's Messages as their documentation shows them: https://docs.claude.com/en/api/messages (2026-11). */
import type { ServerResponse } from 'node:http'

export type AnthropicUsage = Record<string, unknown>

export const ANTHROPIC_USAGE: AnthropicUsage = { input_tokens: 20, output_tokens: 7 }

export function anthropicMessage(
  content: readonly object[],
  { stopReason = 'end_turn', usage = ANTHROPIC_USAGE } = {},
) {
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  }
}

type Event = { readonly type: string } & Record<string, unknown>

/** The events of one content block: start, deltas, stop. */
export function anthropicBlock(index: number, block: object, deltas: readonly object[]): Event[] {
  return [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

export function anthropicStart(usage: AnthropicUsage = { input_tokens: 20, output_tokens: 1 }): Event {
  return {
    type: 'message_start',
    message: {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  }
}

export function anthropicEnd(stopReason = 'end_turn', usage: AnthropicUsage = { output_tokens: 7 }): Event[] {
  return [
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

export function writeAnthropicEvents(response: ServerResponse, events: readonly Event[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

export const anthropicText = (index: number, words: readonly string[]): Event[] =>
  anthropicBlock(
    index,
    { type: 'text', text: '' },
    words.map(text => ({ type: 'text_delta', text })),
  )
