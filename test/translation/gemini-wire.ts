/** Google's generateContent as its documentation shows it: https://ai.google.dev/api/generate-content (2026-11). */
import type { ServerResponse } from 'node:http'

export const GEMINI_USAGE = { promptTokenCount: 20, candidatesTokenCount: 7, totalTokenCount: 27 }

type Reply = { readonly finishReason?: string | null; readonly usage?: object | null; readonly more?: object }

export function geminiReply(
  parts: readonly object[],
  { finishReason = 'STOP', usage = GEMINI_USAGE, more = {} }: Reply = {},
) {
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(finishReason === null ? {} : { finishReason }),
        ...more,
      },
    ],
    ...(usage === null ? {} : { usageMetadata: usage }),
    modelVersion: 'gemini-3-flash',
    responseId: 'resp_1',
  }
}

/** Events end in carriage returns there. */
export function writeGeminiEvents(response: ServerResponse, events: readonly object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\r\n\r\n`)
}

export const geminiPiece = (parts: readonly object[], usage: object | null = null) =>
  geminiReply(parts, { finishReason: null, usage })
