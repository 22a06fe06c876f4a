import type { AskedEndpoint } from '#gateway/generation-request.ts'
import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { splice } from '#lib/pieces.ts'
import { SMALL_BYTES } from '#lib/shared-bytes.ts'
import type { AnswerProtocol, WholeAnswer } from './answer-protocol.ts'
import { MessagesAnswer } from './anthropic/messages-answer.ts'
import { BytesReader } from './bytes-reader.ts'
import { EventStreamReader, type StreamedAnswer } from './event-stream-reader.ts'
import { ChatAnswer } from './openai/chat-answer.ts'
import { CompletionsAnswer } from './openai/completions-answer.ts'
import { ResponsesAnswer } from './openai/responses-answer.ts'
import type { ProviderCall } from './provider.ts'
import { type ReplyReading, readReply, type WholeAnswerBytes } from './read-reply.ts'
import { fromErrorInside, invalidAnswer } from './upstream-error.ts'

type StreamOptions = {
  readonly publicModel: string
  readonly asksForUsage: boolean
  readonly choices: number
}

/** The endpoints whose answers can be streams. */
const STREAMS: Readonly<Partial<Record<AskedEndpoint, new (options: StreamOptions) => StreamedAnswer>>> = {
  chat: ChatAnswer,
  messages: MessagesAnswer,
  responses: ResponsesAnswer,
  completions: CompletionsAnswer,
}

/**
 * The protocol of a call whose upstream speaks the caller's own: bytes pass through, and only the model's name is put
 * right on the way.
 */
export function passThrough({ request }: ProviderCall, offThread: OffThread): AnswerProtocol {
  const { endpoint, model: publicModel, asksForUsage, choices } = request
  const Answer = STREAMS[endpoint]
  return {
    createStreamReader: contentType => {
      if (endpoint === 'speech') return isJson(contentType) ? null : new BytesReader()
      return request.stream && Answer && isEventStream(contentType)
        ? new EventStreamReader(new Answer({ publicModel, asksForUsage, choices }))
        : null
    },
    readReply: (bytes, contentType) => {
      const whole = { endpoint, bytes, publicModel, contentType }
      return bytes.length <= SMALL_BYTES
        ? toWholeAnswer(whole, readReply(whole))
        : offThread.readReply(whole).then(reading => toWholeAnswer(whole, reading))
    },
  }
}

function isJson(contentType: string): boolean {
  return /^application\/([\w.]+\+)?json\b/i.test(contentType)
}

function isEventStream(contentType: string): boolean {
  return /^text\/event-stream\b/i.test(contentType)
}

function toWholeAnswer({ bytes }: WholeAnswerBytes, reading: ReplyReading): WholeAnswer {
  switch (reading.kind) {
    case 'answer': {
      const { edit, usage, unitCount, outputText, contentType } = reading
      const pieces = edit ? splice(bytes, [edit]) : [bytes]
      return { kind: 'reply', reply: { pieces, usage, unitCount, outputText, contentType } }
    }
    case 'error':
      return { kind: 'failed', failure: fromErrorInside(reading.body) }
    case 'invalid':
      return { kind: 'failed', failure: invalidAnswer('a reply of another shape') }
  }
}
