import { readUsage } from '#gateway/metering/usage.ts'
import type { Members, ReplyShape } from '#gateway/providers/read-reply.ts'
import { generatedText } from './chat-content.ts'

/** Errors of compatible servers under a status of success: `{"error": …}`. */
export function findError(reply: Members): unknown {
  return reply.error ? reply : undefined
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

function textOfChoice(choice: unknown): string {
  return typeof choice === 'object' && choice !== null && 'message' in choice
    ? generatedText(choice.message)
    : ''
}

export const chatReply: ReplyShape = {
  findError,
  isAnswer: reply => hasItems(reply.choices),
  readUsage: reply => readUsage(reply.usage, 'chat'),
  textOf: ({ choices }) => (Array.isArray(choices) ? choices.map(textOfChoice).join('') : ''),
}

/** A choice of the older completions is a text. */
export function textOfCompletion(choice: unknown): string {
  return typeof choice === 'object' && choice !== null && 'text' in choice && typeof choice.text === 'string'
    ? choice.text
    : ''
}

export const completionsReply: ReplyShape = {
  ...chatReply,
  textOf: ({ choices }) => (Array.isArray(choices) ? choices.map(textOfCompletion).join('') : ''),
}

/** Nothing is generated and nothing reported: what was read is what counts. */
export const moderationsReply: ReplyShape = {
  findError,
  isAnswer: reply => hasItems(reply.results),
  readUsage: reply => readUsage(reply.usage, 'embeddings'),
  textOf: () => '',
}

export const embeddingsReply: ReplyShape = {
  findError,
  isAnswer: reply => hasItems(reply.data),
  readUsage: reply => readUsage(reply.usage, 'embeddings'),
  textOf: () => '',
}
