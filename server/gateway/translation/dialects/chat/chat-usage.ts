import type { AnswerUsage } from '#gateway/translation/dialect.ts'

/** Usage as OpenAI shows it: what was read from a cache or written into one is part of the prompt. */
export function chatUsage({ buckets, reasoningTokens }: AnswerUsage) {
  const promptTokens = buckets.input + buckets.cache_read + buckets.cache_write
  return {
    prompt_tokens: promptTokens,
    completion_tokens: buckets.output,
    total_tokens: promptTokens + buckets.output,
    prompt_tokens_details: { cached_tokens: buckets.cache_read, cache_write_tokens: buckets.cache_write },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}
