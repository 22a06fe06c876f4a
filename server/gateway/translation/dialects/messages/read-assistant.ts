import type { LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider'
import { isOfCall, openTokens } from '#gateway/translation/provider-tokens.ts'
import { cacheOptions } from './cache-marks.ts'
import type { AssistantBlock } from './messages-body.ts'
import type { Reading } from './read-messages.ts'

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** Reads what a model said before: thinking, texts and calls of tools, in their order. */
export function readAssistant(
  content: string | readonly AssistantBlock[],
  reading: Reading,
): LanguageModelV4Message[] {
  const parts = typeof content === 'string' ? readText(content) : readBlocks(content, reading)
  // A turn in which nothing was said has no meaning to any upstream, and most refuse it.
  return parts.length === 0 ? [] : [{ role: 'assistant', content: parts }]
}

function readBlocks(blocks: readonly AssistantBlock[], reading: Reading): AssistantContent {
  const parts: AssistantContent = []
  /** Tokens of a call stand in a block of their own before it. */
  let callTokens: SharedV4ProviderOptions | undefined
  for (const [index, block] of blocks.entries()) {
    switch (block.type) {
      case 'text':
        parts.push(...readText(block.text, cacheOptions(block)))
        break
      case 'thinking':
        parts.push(...readThinking(block.thinking, openTokens(block.signature ?? '')))
        break
      case 'redacted_thinking': {
        const tokens = openTokens(block.data)
        if (tokens && isOfCall(tokens) && blocks[index + 1]?.type === 'tool_use') callTokens = tokens
        // Nobody but the upstream that hid it can read it.
        else parts.push(...readThinking('', tokens))
        break
      }
      case 'tool_use': {
        const { id: toolCallId, name: toolName, input } = block
        reading.toolNames.set(toolCallId, toolName)
        parts.push({ type: 'tool-call', toolCallId, toolName, input, ...cacheOptions(block, callTokens) })
        callTokens = undefined
      }
    }
  }
  return parts
}

function readText(
  text: string,
  options: { providerOptions?: SharedV4ProviderOptions } = {},
): AssistantContent {
  return text === '' ? [] : [{ type: 'text', text, ...options }]
}

function readThinking(text: string, tokens: SharedV4ProviderOptions | null): AssistantContent {
  if (text === '' && tokens === null) return []
  return [{ type: 'reasoning', text, ...(tokens ? { providerOptions: tokens } : {}) }]
}
