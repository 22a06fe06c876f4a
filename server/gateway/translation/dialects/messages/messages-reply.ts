import type { LanguageModelV4Content, LanguageModelV4FinishReason } from '@ai-sdk/provider'
import type { AnswerUsage, NeutralAnswer, RenderContext } from '#gateway/translation/dialect.ts'
import { sealTokens } from '#gateway/translation/provider-tokens.ts'

/** A whole answer as a message of Anthropic's API. */
export function renderMessage(answer: NeutralAnswer, context: RenderContext): string {
  return JSON.stringify({
    ...emptyMessage(context),
    content: contentBlocks(answer),
    stop_reason: stopReason(answer.finishReason),
    stop_sequence: null,
    usage: messagesUsage(answer.usage),
  })
}

/** What is known of a message before its first word. */
export function emptyMessage({ requestId, model }: RenderContext) {
  return {
    id: `msg_${requestId}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [] as object[],
    stop_reason: null,
    stop_sequence: null,
  }
}

function contentBlocks({ content, structuredOutputText }: NeutralAnswer): object[] {
  const isText = ({ type }: LanguageModelV4Content) => type === 'text'
  if (structuredOutputText === undefined) return content.flatMap(toBlocks)
  // The text that was asked for stands in the place of all texts.
  const others = content.filter(part => !isText(part)).flatMap(toBlocks)
  return [...others, { type: 'text', text: structuredOutputText }]
}

function toBlocks(part: LanguageModelV4Content): object[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning': {
      const sealed = sealTokens(part.providerMetadata)
      if (part.text === '') return sealed === null ? [] : [redactedThinking(sealed)]
      return [{ type: 'thinking', thinking: part.text, signature: sealed ?? '' }]
    }
    case 'tool-call': {
      const sealed = sealTokens(part.providerMetadata)
      const { toolCallId: id, toolName: name } = part
      const call = { type: 'tool_use', id, name, input: readInput(part.input) }
      return sealed === null ? [call] : [redactedThinking(sealed), call]
    }
    default:
      return []
  }
}

/** What an upstream wants back with a part that has no signature of its own here: callers send such blocks back unread. */
export function redactedThinking(sealed: string): object {
  return { type: 'redacted_thinking', data: sealed }
}

/** Arguments that are no object are wrapped as Anthropic's guide to streamed tools advises to. */
export function readInput(text: string): object {
  if (text.trim() === '') return {}
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
  } catch {
    // Models can write what is no JSON.
  }
  return { INVALID_JSON: text }
}

const REASONS: Readonly<Partial<Record<LanguageModelV4FinishReason['unified'], string>>> = {
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
}

/** Reasons that Claude itself gives where it is served by another protocol. */
const OWN_REASONS = new Set<string | undefined>([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
])

export function stopReason({ unified, raw }: LanguageModelV4FinishReason): string {
  if (OWN_REASONS.has(raw) && raw !== undefined) return raw
  return REASONS[unified] ?? 'end_turn'
}

/** Usage as Anthropic shows it, in disjoint counts. Clients reckon with all of them being there. */
export function messagesUsage(usage: AnswerUsage | null) {
  const { input, cache_read, cache_write, output } = usage?.buckets ?? NO_TOKENS
  return {
    input_tokens: input,
    cache_creation_input_tokens: cache_write,
    cache_read_input_tokens: cache_read,
    output_tokens: output,
  }
}

const NO_TOKENS = { input: 0, cache_read: 0, cache_write: 0, output: 0 }
