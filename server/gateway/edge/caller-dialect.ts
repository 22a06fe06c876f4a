/** How the callers of a route are spoken to where it differs: where their key may stand, and how errors are told. */
import { type ServiceError, toAnthropicEnvelope, toEnvelope } from '#contract/errors.ts'
import { sseEvent } from '#lib/sse.ts'
import { type ClientRequest, headerOf } from '#server/http/client-exchange.ts'

/** Where in an answer an error is told. */
export type ErrorPlace = {
  readonly requestId: string
  /** The number of the next event, in dialects that number them. */
  readonly eventNumber: number
}

export type CallerDialect = {
  /** A header that may carry the key beside `authorization`, in lower case. */
  readonly keyHeader: 'x-api-key' | null
  /** The name under which this dialect's SDKs look for the request id, beside `x-request-id`. */
  readonly requestIdHeader: 'request-id' | null
  /** Whether pages of any origin may read the answers; else nobody may keep them either. */
  readonly isPublic: boolean
  /** Headers that an upstream of the same protocol is to get as they came, in lower case. */
  readonly passedHeaders: readonly string[]
  /** The body of an error answer, as JSON. */
  errorBody(error: ServiceError, requestId: string): string
  /** The last event of a stream that broke off; null where it is none of events: its connection is cut then. */
  errorEvent(error: ServiceError, place: ErrorPlace): Buffer | null
  /** What may stand between any two events of a stream and means nothing; null where there is nothing of that kind. */
  readonly keepAliveEvent: Buffer | null
}

const errorBody = (error: ServiceError) => JSON.stringify(toEnvelope(error))

/** OpenAI's convention: chat completions, and all routes that have no words of their own. */
export const openaiDialect: CallerDialect = {
  keyHeader: null,
  requestIdHeader: null,
  isPublic: true,
  passedHeaders: [],
  errorBody,
  errorEvent: error => sseEvent(errorBody(error)),
  // A comment: https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes
  keepAliveEvent: Buffer.from(': keep-alive\n\n'),
}

/** The portal's own pages: OpenAI's convention, for nobody else. */
export const portalDialect: CallerDialect = { ...openaiDialect, isPublic: false }
/** Bytes without a place for an error, such as audio. */
export const bytesDialect: CallerDialect = {
  ...openaiDialect,
  errorEvent: () => null,
  keepAliveEvent: null,
}

/** OpenAI's Responses: its events are named and numbered (`ResponseErrorEvent` of its SDK, 7.55). */
export const responsesDialect: CallerDialect = {
  ...openaiDialect,
  errorEvent: ({ type, code, message }, { eventNumber }) =>
    sseEvent(
      JSON.stringify({
        type: 'error',
        code: code ?? type,
        message,
        param: null,
        sequence_number: eventNumber,
      }),
      'error',
    ),
}

/** Anthropic's Messages. Its SDK passes over events that have no name. */
export const anthropicDialect: CallerDialect = {
  keyHeader: 'x-api-key',
  requestIdHeader: 'request-id',
  isPublic: true,
  passedHeaders: ['anthropic-version', 'anthropic-beta'],
  errorBody: (error, requestId) => JSON.stringify(toAnthropicEnvelope(error, requestId)),
  errorEvent: (error, { requestId }) =>
    sseEvent(JSON.stringify(toAnthropicEnvelope(error, requestId)), 'error'),
  // https://docs.claude.com/en/docs/build-with-claude/streaming#ping-events (2026-11)
  keepAliveEvent: sseEvent('{"type":"ping"}', 'ping'),
}

/** The caller's headers that go on to an upstream of the same protocol: names and values in turns. */
export function passedHeaders(
  { passedHeaders: names }: CallerDialect,
  request: ClientRequest,
): readonly string[] {
  if (names.length === 0) return names
  return names.flatMap(name => {
    const value = headerOf(request, name)
    return value === undefined ? [] : [name, value]
  })
}
