/**
 * AWS Bedrock's Converse as its documentation shows it, with its binary events:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html (2026-11) and the encoding at
 * https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html
 */
import type { ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'

export const CONVERSE_USAGE = { inputTokens: 20, outputTokens: 7, totalTokens: 27 }

export function converseReply(
  content: readonly object[],
  { stopReason = 'end_turn', usage = CONVERSE_USAGE as object } = {},
) {
  return {
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage,
    metrics: { latencyMs: 12 },
  }
}

const STRING_TYPE = 7
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4

function header(name: string, value: string): Buffer {
  const nameBytes = Buffer.from(name)
  const valueBytes = Buffer.from(value)
  const lengths = Buffer.alloc(3)
  lengths.writeUInt8(STRING_TYPE, 0)
  lengths.writeUInt16BE(valueBytes.length, 1)
  return Buffer.concat([Buffer.from([nameBytes.length]), nameBytes, lengths, valueBytes])
}

/** One event, or one exception, in the binary encoding. */
export function converseEvent(name: string, payload: object, kind: 'event' | 'exception' = 'event'): Buffer {
  const headers = Buffer.concat([
    header(`:${kind}-type`, name),
    header(':content-type', 'application/json'),
    header(':message-type', kind),
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const message = Buffer.alloc(PRELUDE_BYTES + headers.length + body.length + CHECKSUM_BYTES)
  message.writeUInt32BE(message.length, 0)
  message.writeUInt32BE(headers.length, 4)
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8)
  headers.copy(message, PRELUDE_BYTES)
  body.copy(message, PRELUDE_BYTES + headers.length)
  message.writeUInt32BE(crc32(message.subarray(0, -CHECKSUM_BYTES)), message.length - CHECKSUM_BYTES)
  return message
}

export function writeConverse(response: ServerResponse, events: readonly Buffer[]): void {
  if (!response.headersSent) {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
  }
  for (const event of events) response.write(event)
}

export const converseStart = () => converseEvent('messageStart', { role: 'assistant' })

export const converseDelta = (contentBlockIndex: number, delta: object) =>
  converseEvent('contentBlockDelta', { contentBlockIndex, delta })

export const converseStop = (contentBlockIndex: number) =>
  converseEvent('contentBlockStop', { contentBlockIndex })

export const converseText = (index: number, words: readonly string[]) => [
  ...words.map(text => converseDelta(index, { text })),
  converseStop(index),
]

export const converseEnd = (stopReason = 'end_turn', usage: object = CONVERSE_USAGE) => [
  converseEvent('messageStop', { stopReason }),
  converseEvent('metadata', { usage, metrics: { latencyMs: 12 } }),
]
