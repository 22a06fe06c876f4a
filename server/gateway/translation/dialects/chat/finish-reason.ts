import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'

const NAMES: Readonly<Partial<Record<LanguageModelV4FinishReason['unified'], string>>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
}

/** A reason that OpenAI has no name for goes by the upstream's own name: none is made up. */
export function chatFinishReason({ unified, raw }: LanguageModelV4FinishReason): string {
  return NAMES[unified] ?? raw ?? unified
}
