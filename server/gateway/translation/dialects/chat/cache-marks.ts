import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { withCacheBreakpoint } from '#gateway/translation/neutral-call.ts'
import type { CacheMarks } from './chat-body.ts'

/** The breakpoint that a part's marks ask for, as options of what it becomes; nothing where there is none. */
export function cacheOptions(
  marks: CacheMarks,
  others?: SharedV4ProviderOptions,
): { providerOptions?: SharedV4ProviderOptions } {
  const mark = marks.cache_control ?? marks.prompt_cache_breakpoint
  if (mark) return { providerOptions: withCacheBreakpoint(mark.ttl ?? null, others) }
  return others ? { providerOptions: others } : {}
}
