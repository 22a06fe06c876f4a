import type { ApiError } from '#web/api/api-error.ts'
import type { RequestRecord } from '#web/api/client/requests.ts'

/** One thing that was said. */
export type Turn =
  | { readonly id: number; readonly role: 'user'; readonly content: string }
  | {
      readonly id: number
      readonly role: 'assistant'
      readonly model: string
      readonly content: string
      readonly state: 'waiting' | 'streaming' | 'complete' | 'stopped' | 'failed'
      readonly requestId: string | null
      /** What it cost, once that is known. */
      readonly record: RequestRecord | null
      readonly error: ApiError | null
    }

export type Answer = Extract<Turn, { role: 'assistant' }>

export type Conversation = readonly Turn[]

/** The conversation with what was asked, and the place of the answer. */
export function ask(
  conversation: Conversation,
  {
    content,
    model,
    answerId,
  }: { readonly content: string; readonly model: string; readonly answerId: number },
): Conversation {
  return [
    ...conversation,
    { id: answerId - 1, role: 'user', content },
    {
      id: answerId,
      role: 'assistant',
      model,
      content: '',
      state: 'waiting',
      requestId: null,
      record: null,
      error: null,
    },
  ]
}

/** The conversation with one answer changed. */
export function changeAnswer(
  conversation: Conversation,
  id: number,
  change: (answer: Answer) => Partial<Answer>,
): Conversation {
  return conversation.map(turn =>
    turn.id === id && turn.role === 'assistant' ? { ...turn, ...change(turn) } : turn,
  )
}

/** What is sent: all that was said, without answers that never came. */
export function messagesOf(conversation: Conversation, instructions: string) {
  const said = conversation
    .filter(({ content }) => content !== '')
    .map(({ role, content }) => ({ role, content }))
  return instructions.trim() === '' ? said : [{ role: 'system' as const, content: instructions }, ...said]
}

/** Tokens of all kinds and the cost of all that was said, as far as it is settled. */
export function costOf(conversation: Conversation): {
  readonly tokens: number
  readonly credits: readonly number[]
} {
  const records = conversation.flatMap(turn => (turn.role === 'assistant' ? (turn.record ?? []) : []))
  const tokens = records.reduce((sum, { usage }) => sum + tokensOf(usage), 0)
  return { tokens, credits: records.map(record => record.credits) }
}

export function tokensOf({ input, cache_read, cache_write, output }: RequestRecord['usage']): number {
  return input + cache_read + cache_write + output
}
