import type {
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4ToolCallPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { openTokens } from '#gateway/translation/provider-tokens.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import type { ChatMessage } from './chat-body.ts'
import type { Reading } from './read-messages.ts'

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** Reads what a model said before: its reasoning first, then its text, then the tools that it called. */
export function readAssistant(
  message: AssistantMessage,
  field: string,
  reading: Reading,
): Outcome<LanguageModelV4Message[], ServiceError> {
  const calls = readToolCalls(message, field, reading)
  if (!calls.ok) return calls
  const content = [...readReasoning(message), ...readTexts(message), ...calls.value]
  // A turn in which nothing was said has no meaning to any upstream, and most refuse it.
  if (content.length === 0) return accepted([])
  return accepted([{ role: 'assistant', content, ...cacheOptions(message) }])
}

function readTexts({ content, refusal }: AssistantMessage): AssistantContent {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? [])
  const said = refusal ? [...parts, { type: 'refusal' as const, refusal }] : parts
  return said.flatMap(part => {
    const text = part.type === 'text' ? part.text : part.refusal
    return text === '' ? [] : [{ type: 'text' as const, text, ...cacheOptions(part) }]
  })
}

/** Details hold all that an upstream wants back; the bare text stands where there are none. */
function readReasoning(message: AssistantMessage): LanguageModelV4ReasoningPart[] {
  const details = (message.reasoning_details ?? []).flatMap(detail => {
    const tokens = openTokens(detail.signature ?? detail.data ?? '')
    return tokens === null
      ? []
      : [{ type: 'reasoning' as const, text: detail.text ?? '', providerOptions: tokens }]
  })
  if (details.length > 0) return details
  const text = message.reasoning_content ?? message.reasoning
  return text ? [{ type: 'reasoning', text }] : []
}

function readToolCalls(
  { tool_calls: calls }: AssistantMessage,
  field: string,
  { toolNames }: Reading,
): Outcome<LanguageModelV4ToolCallPart[], ServiceError> {
  const read: LanguageModelV4ToolCallPart[] = []
  for (const [index, call] of (calls ?? []).entries()) {
    const { name, arguments: text } = call.function
    const input = parseInput(text)
    if (input === undefined) {
      return refused(
        refusals.invalid(`${field}.tool_calls.${index}.function.arguments: must hold a JSON object as text`),
      )
    }
    toolNames.set(call.id, name)
    const providerOptions = tokensOfCall(call.extra_content?.google?.thought_signature)
    read.push({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: name,
      input,
      ...(providerOptions ? { providerOptions } : {}),
    })
  }
  return accepted(read)
}

function parseInput(text: string): unknown {
  // Models that call a tool without arguments often leave them empty.
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function tokensOfCall(sealed: string | null | undefined): SharedV4ProviderOptions | null {
  return sealed == null ? null : openTokens(sealed)
}
