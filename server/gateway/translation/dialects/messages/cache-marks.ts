import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { withCacheBreakpoint } from '#gateway/translation/neutral-call.ts'
import type { CacheMarks } from './messages-body.ts'

/** The breakpoint that a block asks for, as options of what it becomes; nothing where there is none. */
export function cacheOptions(
  { cache_control: mark }: CacheMarks,
  others?: SharedV4ProviderOptions,
): { providerOptions?: SharedV4ProviderOptions } {
  if (mark) return { providerOptions: withCacheBreakpoint(mark.ttl ?? null, others) }
  return others ? { providerOptions: others } : {}
}
