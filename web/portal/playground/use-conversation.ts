import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, unexpectedReply } from '#web/api/api-error.ts'
import { streamPlaygroundChat } from '#web/api/client/playground.ts'
import { REQUESTS, requestDetailQuery } from '#web/api/client/requests.ts'
import { meQuery } from '#web/api/client/session.ts'
import { type Answer, ask, type Conversation, changeAnswer, messagesOf } from './conversation.ts'

const RECORD_PAUSES_MS = [0, 250, 500, 1_000, 2_000]

export type ConversationOptions = {
  readonly keyId: string
  readonly model: string
  readonly instructions: string
}

/** A conversation with a model: what was said, and the ways to say more, to stop, and to begin anew. */
export function useConversation({ keyId, model, instructions }: ConversationOptions) {
  const [conversation, setConversation] = useState<Conversation>([])
  const [isBusy, setBusy] = useState(false)
  /** Never used twice: what comes late for a conversation that was cleared finds no place in the next. */
  const nextTurnId = useRef(0)
  const stopping = useRef<AbortController>(null)
  const queryClient = useQueryClient()
  // Whoever leaves the page stops what is being written: nobody would read it.
  useEffect(() => () => stopping.current?.abort(), [])

  /** The record of a request that was left is written a moment after. */
  async function findRecord(requestId: string) {
    for (const pauseMs of RECORD_PAUSES_MS) {
      await new Promise(resolve => setTimeout(resolve, pauseMs))
      const record = await queryClient
        .fetchQuery({ ...requestDetailQuery(requestId), staleTime: 0 })
        .catch(() => null)
      if (record) return record
    }
    return null
  }

  async function stream(id: number, messages: ReturnType<typeof messagesOf>, signal: AbortSignal) {
    const change = (changes: (answer: Answer) => Partial<Answer>) =>
      setConversation(now => changeAnswer(now, id, changes))
    let requestId: string | null = null
    let ending: Partial<Answer> = { state: 'complete' }
    try {
      await streamPlaygroundChat({
        keyId,
        model,
        messages,
        signal,
        onBegin: begun => {
          requestId = begun
          change(() => ({ state: 'streaming', requestId: begun }))
        },
        onText: text => change(({ content }) => ({ content: content + text })),
      })
    } catch (error) {
      ending = signal.aborted ? { state: 'stopped' } : { state: 'failed', error: toApiError(error) }
    }
    change(() => ending)
    setBusy(false)
    if (requestId === null) return
    const record = await findRecord(requestId)
    change(() => ({ record }))
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: REQUESTS }),
    ])
  }

  function send(content: string): void {
    const answerId = nextTurnId.current + 1
    nextTurnId.current += 2
    const next = ask(conversation, { content, model, answerId })
    const controller = new AbortController()
    stopping.current = controller
    setConversation(next)
    setBusy(true)
    void stream(answerId, messagesOf(next, instructions), controller.signal)
  }

  return {
    conversation,
    isBusy,
    send,
    stop: () => stopping.current?.abort(),
    clear: () => {
      stopping.current?.abort()
      setConversation([])
    },
  }
}

/** A stream may hold what no error of ours describes: an event that is no JSON, or of another shape. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return unexpectedReply({ status: 200, requestId: null, retryAfterSeconds: null })
}
