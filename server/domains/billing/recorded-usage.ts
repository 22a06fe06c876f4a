import type { TokenBuckets } from '#contract/usage.ts'
import type { RequestRow } from '#storage/tables.ts'

/** The counts that a usage record holds. */
export function recordedUsage(
  row: Pick<
    RequestRow,
    'input_tokens' | 'cache_read_tokens' | 'cache_write_tokens' | 'cache_write_1h_tokens' | 'output_tokens'
  >,
): TokenBuckets {
  return {
    input: row.input_tokens,
    cache_read: row.cache_read_tokens,
    cache_write: row.cache_write_tokens,
    output: row.output_tokens,
    ...(row.cache_write_1h_tokens === 0 ? {} : { cache_write_1h: row.cache_write_1h_tokens }),
  }
}
