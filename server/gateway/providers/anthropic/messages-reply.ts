import { readMessagesUsage } from '#gateway/metering/messages-usage.ts'
import type { ReplyShape } from '#gateway/providers/read-reply.ts'
import { textOfBlocks } from './messages-content.ts'

const findError: ReplyShape['findError'] = reply =>
  reply.type === 'error' || reply.error ? reply : undefined

export const messagesReply: ReplyShape = {
  findError,
  isAnswer: ({ content }) => Array.isArray(content),
  readUsage: reply => readMessagesUsage(reply.usage),
  textOf: reply => textOfBlocks(reply.content),
}

/** How many tokens a question has; nothing is generated for it. */
export const tokenCountReply: ReplyShape = {
  findError,
  isAnswer: ({ input_tokens: count }) => typeof count === 'number',
  readUsage: () => null,
  textOf: () => '',
}
