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

function reply(text: string, finishReason?: string) {
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text }] }, ...(finishReason ? { finishReason } : {}), index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: TOKENS.cached,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: prompt + TOKENS.output,
    },
    modelVersion: 'fixed-chat',
    responseId: 'fixed0000000000000000',
  }
}

const event = (body: object) => `data: ${JSON.stringify(body)}\r\n\r\n`

/** Google's generateContent. */
export const GEMINI_WIRE: FixedWire = {
  reply: wholeReply(reply(ANSWER, 'STOP')),
  streamHead: STREAM_HEAD,
  contentChunk: stamper(event(reply(STAMP))),
  streamTail: transferChunk(event(reply('', 'STOP'))) + transferChunk(''),
}
