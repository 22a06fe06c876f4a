/** Reads generated text out of the content blocks and deltas of Anthropic's Messages. */
import type { Members } from '#gateway/providers/read-reply.ts'

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** What a whole block says: text, thinking, or what a tool is called with. */
function textOfBlock(block: unknown): string {
  if (!isMembers(block)) return ''
  const input =
    isMembers(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : ''
  return textOf(block.text) + textOf(block.thinking) + textOf(block.name) + input
}

/** All that was generated in content blocks. */
export function textOfBlocks(blocks: unknown): string {
  return Array.isArray(blocks) ? blocks.map(textOfBlock).join('') : ''
}

/** The text that an event brings: what a delta adds, or what a block begins with. */
export function textOfEvent({ type, delta, content_block: block }: Members): string {
  if (type === 'content_block_delta' && isMembers(delta)) {
    return textOf(delta.text ?? delta.thinking ?? delta.partial_json)
  }
  return type === 'content_block_start' ? textOfBlock(block) : ''
}

/** Whether an event is a piece of content. A block that begins empty is none, unless it is a tool call. */
export function isContent(event: Members): boolean {
  if (textOfEvent(event) !== '') return true
  const { type, content_block: block } = event
  return type === 'content_block_start' && isMembers(block) && isWholeFromTheStart(block)
}

/** Tool calls, results of the vendor's own tools and redacted thinking say all or most with their first event. */
function isWholeFromTheStart({ type }: Members): boolean {
  return typeof type === 'string' && type !== 'text' && type !== 'thinking'
}
