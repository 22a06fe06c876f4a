import { fields, type ReportedUsage, readUsage } from './usage.ts'

/**
 * Reads the usage of OpenAI's Responses: the same counts as those of chat completions under other names, cached and
 * written tokens within the input and reasoning within the output.
 */
export function readResponsesUsage(usage: unknown): ReportedUsage | null {
  const report = fields(usage)
  const read = readUsage(
    {
      prompt_tokens: report.input_tokens,
      completion_tokens: report.output_tokens,
      total_tokens: report.total_tokens,
      prompt_tokens_details: report.input_tokens_details,
      completion_tokens_details: report.output_tokens_details,
    },
    'chat',
  )
  return read && { ...read, anomaly: read.anomaly === null ? null : JSON.stringify(usage) }
}
