import { count, fields, type ReportedUsage } from './usage.ts'

/**
 * Reads the usage of Cohere's API, version 2. It charges by its billed units, which leave out what it adds to a prompt
 * itself; how its `cached_tokens` relate to them is not documented, so they are no bucket of their own. null
 * where the input is left open: that is metered by an estimate.
 */
export function readCohereUsage(usage: unknown): ReportedUsage | null {
  const report = fields(usage)
  const billed = fields(report.billed_units)
  const tokens = fields(report.tokens)
  const input = count(billed.input_tokens) ?? count(tokens.input_tokens)
  const output = count(billed.output_tokens) ?? count(tokens.output_tokens)
  if (input === undefined || input + (output ?? 0) === 0) return null
  return {
    buckets: { input, cache_read: 0, cache_write: 0, output: output ?? 0 },
    anomaly: null,
  }
}
