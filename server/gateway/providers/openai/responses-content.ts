/** Reads generated text out of the items and events of OpenAI's Responses. */
import type { Members } from '#gateway/providers/read-reply.ts'

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(parts: unknown): string {
  if (!Array.isArray(parts)) return ''
  return parts.map(part => (isMembers(part) ? textOf(part.text ?? part.refusal) : '')).join('')
}

/** All that was generated in output items: messages, reasoning, and what tools are called with. */
export function textOfItems(items: unknown): string {
  if (!Array.isArray(items)) return ''
  return items
    .map(item => {
      if (!isMembers(item)) return ''
      const called = textOf(item.name) + textOf(item.arguments ?? item.input ?? item.code)
      return textsOf(item.content) + textsOf(item.summary) + called
    })
    .join('')
}

/** The text that an event brings: of a delta what it adds, of a new tool call its name. */
export function textOfEvent(event: Members): string {
  if (typeof event.type !== 'string') return ''
  if (event.type.endsWith('.delta')) return textOf(event.delta)
  if (event.type === 'response.output_item.added' && isMembers(event.item)) return textOf(event.item.name)
  return ''
}

/** Whether an event is a piece of content: a delta that is not empty, or a tool call that begins. */
export function isContent(event: Members): boolean {
  if (textOfEvent(event) !== '') return true
  if (event.type !== 'response.output_item.added' || !isMembers(event.item)) return false
  return typeof event.item.type === 'string' && event.item.type.endsWith('_call')
}
