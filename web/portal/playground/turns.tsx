import { useEffect, useRef } from 'react'
import type { Key } from '#web/api/client/keys.ts'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { AnswerTurn } from './answer-turn.tsx'
import type { Conversation } from './conversation.ts'

/** So far from its end a list is still followed. */
const NEAR_END_PX = 80

export type TurnsProps = {
  readonly conversation: Conversation
  readonly apiKey: Key | undefined
  readonly weights: CatalogEntry['weights'] | undefined
}

/** All that was said. It follows what is being written, unless the reader has scrolled up. */
export function Turns({ conversation, apiKey, weights }: TurnsProps) {
  const list = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the conversation moves its end
  useEffect(() => {
    if (follows.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [conversation])
  const noteScroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = list.current ?? {}
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX
  }
  const isWriting = conversation.some(turn => turn.role === 'assistant' && turn.state === 'streaming')
  return (
    <div
      ref={list}
      role="log"
      aria-label="Conversation"
      aria-busy={isWriting}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      onScroll={noteScroll}
      className="flex h-[60dvh] min-h-80 flex-1 flex-col gap-5 overflow-y-auto p-5 focus-visible:-outline-offset-2"
    >
      {conversation.length === 0 && (
        <p className="m-auto max-w-xs text-center text-sm text-muted">
          Say something below. The answer comes here as it is written, with what it weighs.
        </p>
      )}
      {conversation.map(turn =>
        turn.role === 'user' ? (
          <p
            key={turn.id}
            className="max-w-[85%] self-end rounded-xl rounded-br-sm bg-gold-soft px-4 py-2.5 break-words whitespace-pre-wrap"
          >
            <span className="sr-only">You: </span>
            {turn.content}
          </p>
        ) : (
          <AnswerTurn key={turn.id} answer={turn} apiKey={apiKey} weights={weights} />
        ),
      )}
    </div>
  )
}
