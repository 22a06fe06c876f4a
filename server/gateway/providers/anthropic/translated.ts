import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MessagesUsage, readMessagesUsage } from '#gateway/metering/messages-usage.ts'
import type { InputBuckets } from '#gateway/metering/usage.ts'
import type { Engine } from '#gateway/translation/engine.ts'
import { adaptToAnthropic } from './adapt-to-anthropic.ts'

/** Anthropic's Messages, for callers of other dialects. */
export const anthropicEngine: Engine = {
  adapt: adaptToAnthropic,
  languageModel: async ({ provider, upstreamModel, fetch }) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // An empty key would be looked for in the environment.
    const apiKey = provider.credential ?? 'none'
    return createAnthropic({ baseURL: provider.baseUrl, apiKey, fetch }).languageModel(upstreamModel)
  },
  readUsage: readMessagesUsage,
  readInputUsage: readAnthropicInput,
}

/** The first event of a stream tells the input; the package hands it on as a part of its own. */
export function readAnthropicInput(part: LanguageModelV4StreamPart): InputBuckets | null {
  if (part.type !== 'custom' || part.kind !== 'anthropic.message_start') return null
  const usage = new MessagesUsage()
  usage.begin(part.providerMetadata?.anthropic?.usage)
  return usage.input
}
