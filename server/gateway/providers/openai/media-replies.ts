import { reportedUnits } from '#gateway/metering/reported-units.ts'
import { readResponsesUsage } from '#gateway/metering/responses-usage.ts'
import { fields, readUsage } from '#gateway/metering/usage.ts'
import type { Members, ReplyShape } from '#gateway/providers/read-reply.ts'
import { findError } from './chat-reply.ts'

const nothingSaid = () => ''

/** Images that were made; some models report tokens beside them. */
export const imagesReply: ReplyShape = {
  findError,
  isAnswer: ({ data }) => Array.isArray(data) && data.length > 0,
  readUsage: reply => readResponsesUsage(reply.usage),
  textOf: nothingSaid,
  countUnits: ({ data }) => (Array.isArray(data) ? data.length : null),
}

/** Speech is bytes: what comes as JSON is an error, or nothing that was asked for. */
export const speechReply: ReplyShape = {
  findError,
  isAnswer: () => false,
  readUsage: () => null,
  textOf: nothingSaid,
}

/**
 * Documents in their order: under `results` at Cohere, Jina and vLLM, under `data` at Voyage. Cohere reports searches,
 * the others tokens.
 */
export const rerankReply: ReplyShape = {
  findError,
  isAnswer: ({ results, data }) => Array.isArray(results) || Array.isArray(data),
  readUsage: reply => readUsage(reply.usage, 'embeddings'),
  textOf: nothingSaid,
  countUnits: (reply: Members) => reportedUnits(fields(fields(reply.meta).billed_units).search_units ?? null),
}
