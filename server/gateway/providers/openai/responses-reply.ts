import { readResponsesUsage } from '#gateway/metering/responses-usage.ts'
import type { ReplyShape } from '#gateway/providers/read-reply.ts'
import { findError } from './chat-reply.ts'
import { textOfItems } from './responses-content.ts'

/** The states in which an answer is whole. A background response that is still queued is none. */
const WHOLE = new Set<unknown>(['completed', 'incomplete'])

export const responsesReply: ReplyShape = {
  findError,
  // Some compatible servers leave the state out.
  isAnswer: ({ output, status }) => Array.isArray(output) && (status === undefined || WHOLE.has(status)),
  readUsage: reply => readResponsesUsage(reply.usage),
  textOf: reply => textOfItems(reply.output),
}
