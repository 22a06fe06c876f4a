import { longWrites } from './long-writes.ts'
import { count, fields, type ReportedUsage } from './usage.ts'

/**
 * Makers of models whose `inputTokens` hold what was read from caches and written into them, unlike AWS documents it: xAI's
 * (November 2026). The numbers alone do not tell: their total counts the cache twice too.
 */
const INCLUSIVE_MAKERS = new Set(['xai'])

/** The maker in `us.anthropic.claude-…` and `anthropic.claude-…`; null for an ARN, which does not say. */
function makerOf(model: string): string | null {
  const [first = '', second, third] = model.split('.')
  if (first.startsWith('arn:')) return null
  // Inference profiles begin with a region: `us.`, `apac.`, `global.`.
  return third !== undefined && /^(us|eu|apac|global|us-gov|jp|au|ca)$/.test(first) ? (second ?? null) : first
}

/**
 * Reads the usage of AWS Bedrock's Converse. Its counts of the input are disjoint as they come:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html (2026-11). null where the
 * input or the output is left open: that is metered by an estimate.
 */
export function readConverseUsage(usage: unknown, model: string): ReportedUsage | null {
  const report = fields(usage)
  const input = count(report.inputTokens)
  const output = count(report.outputTokens)
  if (input === undefined || output === undefined) return null
  const read = count(report.cacheReadInputTokens) ?? 0
  const written = count(report.cacheWriteInputTokens) ?? 0
  const isInclusive = INCLUSIVE_MAKERS.has(makerOf(model) ?? '')
  const plain = input - (isInclusive ? read + written : 0)
  const buckets = {
    input: Math.max(0, plain),
    cache_read: read,
    cache_write: written,
    output,
    ...longWrites(countHourly(report.cacheDetails), written),
  }
  if (buckets.input + read + written + buckets.output === 0) return null
  return { buckets, anomaly: plain < 0 ? JSON.stringify(usage) : null }
}

/** What was written to live for an hour, among what was written by how long it lives. */
function countHourly(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined
  return details
    .map(fields)
    .filter(({ ttl }) => ttl === '1h')
    .reduce((sum, { inputTokens }) => sum + (count(inputTokens) ?? 0), 0)
}
