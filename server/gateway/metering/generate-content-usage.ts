import { count, fields, type ReportedUsage } from './usage.ts'

/**
 * Reads the usage of Google's generateContent (Gemini API and Vertex AI). The prompt's total holds what was read from a
 * cache, thoughts are counted beside the candidates, and what tools brought in is counted beside the prompt: doc comments
 * of `GenerateContentResponseUsageMetadata` in @google/genai 3.1. Caches are paid for by the hour and not by the token, so
 * nothing is ever written into one here. What is 0 may be left out, but no prompt has 0: null without its count, and the
 * answer is metered by an estimate.
 */
export function readGenerateContentUsage(usage: unknown): ReportedUsage | null {
  const report = fields(usage)
  const prompt = count(report.promptTokenCount)
  const candidates = count(report.candidatesTokenCount)
  const thoughts = count(report.thoughtsTokenCount)
  if (prompt === undefined) return null
  const cached = count(report.cachedContentTokenCount) ?? 0
  const whole = prompt + (count(report.toolUsePromptTokenCount) ?? 0)
  const output = (candidates ?? 0) + (thoughts ?? 0)
  if (whole + output === 0) return null
  const isAnomalous = cached > whole
  return {
    buckets: { input: Math.max(0, whole - cached), cache_read: cached, cache_write: 0, output },
    anomaly: isAnomalous ? JSON.stringify(usage) : null,
  }
}
