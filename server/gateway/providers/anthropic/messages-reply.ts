import { readMessagesUsage } from '#gateway/metering/messages-usage.ts'
import type { ReplyShape } from '#gateway/providers/read-reply.ts'
import { textOfBlocks } from './messages-content.ts'

export const messagesReply: ReplyShape = {
  findError: reply => (reply.type === 'error' || reply.error ? reply : undefined),
  isAnswer: ({ content }) => Array.isArray(content),
  readUsage: reply => readMessagesUsage(reply.usage),
  textOf: reply => textOfBlocks(reply.content),
}
