/** Reads generated text out of messages and deltas of the OpenAI chat convention and its common extensions. */

type Members = Readonly<Record<string, unknown>>

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a `content`: a string, or an array of parts that carry texts (Mistral's thinking nests them). */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join('')
  if (isMembers(value)) return textOf(value.text ?? value.thinking ?? value.content ?? '')
  return ''
}

function textOfCall(call: unknown): string {
  if (!isMembers(call)) return ''
  const target = isMembers(call.function) ? call.function : isMembers(call.custom) ? call.custom : call
  return textOf(target.name) + textOf(target.arguments ?? target.input)
}

function textOfCalls(calls: unknown): string {
  return Array.isArray(calls) ? calls.map(textOfCall).join('') : ''
}

/** All that was generated in a message or delta, as text: what an estimate counts. */
export function generatedText(message: unknown): string {
  if (!isMembers(message)) return ''
  const audio = isMembers(message.audio) ? textOf(message.audio.transcript) : ''
  return (
    textOf(message.content) +
    textOf(message.refusal) +
    textOf(message.reasoning_content ?? message.reasoning) +
    textOfCalls(message.tool_calls) +
    (isMembers(message.function_call) ? textOfCall(message.function_call) : '') +
    audio
  )
}

/**
 * Whether a delta is a piece of content: text, refusal, reasoning or a tool call. One with only a role, or empty, is
 * none.
 */
export function hasContent(delta: unknown): boolean {
  if (!isMembers(delta)) return false
  if (generatedText(delta) !== '') return true
  const { content, tool_calls: calls, reasoning_details: details, audio } = delta
  return (
    (Array.isArray(content) && content.length > 0) ||
    (Array.isArray(calls) &&
      calls.some(call => isMembers(call) && typeof call.id === 'string' && call.id !== '')) ||
    (Array.isArray(details) && details.length > 0) ||
    (isMembers(audio) && typeof audio.data === 'string' && audio.data !== '')
  )
}
