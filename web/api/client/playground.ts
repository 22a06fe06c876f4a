import { EventSourceParserStream } from 'eventsource-parser/stream'
import { errorEnvelope } from '#contract/errors.ts'
import { chatChunk } from '#contract/generation.ts'
import { envelopeError, readApiError, unreachable } from '../api-error.ts'
import { send } from '../call.ts'

export type PlaygroundMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type PlaygroundChat = {
  /** Whose limits count. */
  readonly keyId: string
  readonly model: string
  readonly messages: readonly PlaygroundMessage[]
  readonly signal: AbortSignal
  /** Called as soon as the service has let the request in. */
  readonly onBegin: (requestId: string) => void
  /** Called for every piece of text. */
  readonly onText: (text: string) => void
}

/**
 * Chats under one of the user's keys, and resolves when the answer is complete. Throws an `ApiError` for a refusal and for
 * a stream that breaks off, and what `fetch` throws when it is aborted.
 */
export async function streamPlaygroundChat(chat: PlaygroundChat): Promise<void> {
  const { keyId, model, messages, signal, onBegin, onText } = chat
  const response = await send({
    method: 'POST',
    path: '/client/playground/chat/completions',
    query: { key_id: keyId },
    body: { model, messages, stream: true },
    signal,
  })
  if (!response) throw unreachable()
  if (!response.ok) throw await readApiError(response)
  const requestId = response.headers.get('x-request-id') ?? ''
  onBegin(requestId)
  for await (const data of eventsOf(response, signal)) {
    if (data === '[DONE]') return
    const event: unknown = JSON.parse(data)
    const failure = errorEnvelope.safeParse(event)
    if (failure.success)
      throw envelopeError(failure.data, { status: response.status, requestId, retryAfterSeconds: null })
    const chunk = chatChunk.parse(event)
    for (const { delta } of chunk.choices) if (delta.content) onText(delta.content)
  }
  throw unreachable()
}

/** The data of each event; a connection that is lost ends it early. */
async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (!response.body) return
  const reader = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  for (;;) {
    const next = await reader.read().catch(error => {
      if (signal.aborted) throw error
      return { done: true, value: undefined } as const
    })
    if (next.done) return
    yield next.value.data
  }
}
