import type { EndpointName, TokenBuckets } from '#contract/usage.ts'

/** What an upstream's own report comes to. */
export type ReportedUsage = {
  readonly buckets: TokenBuckets
  /** The report as it came, where it contradicted itself and had to be interpreted: it is kept beside the charge. */
  readonly anomaly: string | null
}

/** The buckets of the input, which some upstreams report before they answer. */
export type InputBuckets = Omit<TokenBuckets, 'output'>

export type Fields = Readonly<Record<string, unknown>>

/** The members of an object; none where the value is something else. */
export function fields(value: unknown): Fields {
  // Any object can be read by name; what is found there is checked at each use.
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/**
 * No request has more tokens of a kind: with the largest weights there are, four such buckets still cost less than a
 * balance can hold (63 bits of micro-credits), and no charge can fail after its answer went out.
 */
const MOST_TOKENS = 1_000_000_000

/** A count of tokens; whatever is no whole number of 0 or more that a request can have counts as not reported. */
export function count(value: unknown): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS
  return isCount ? value : undefined
}

/**
 * Reads the usage object of an OpenAI-compatible server into disjoint buckets. One rule serves all of them, because
 * their differences show in the numbers themselves:
 *
 * - Cached and written tokens are part of the prompt total (OpenAI, Azure, DeepSeek `prompt_cache_hit_tokens`, Mistral
 *   `num_cached_tokens`, Groq, OpenRouter, vLLM). A server that reports more cached than prompt tokens (seen at xAI)
 *   counts them apart, so they are added instead of subtracted.
 * - Reasoning is part of the completion total, unless the grand total shows that it is not: xAI reports
 *   `total = prompt + completion + reasoning`, Gemini's compatible endpoint hides thoughts in the total alone.
 * - Embeddings have no output; Cohere-like servers give only a total.
 *
 * Returns null when the object reports nothing at all, or leaves the input or the output open: such a reply is metered by
 * an estimate, never as nothing.
 */
export function readUsage(usage: unknown, endpoint: EndpointName): ReportedUsage | null {
  const report = fields(usage)
  const details = fields(report.prompt_tokens_details ?? report.prompt_token_details)
  const cacheRead =
    count(report.prompt_cache_hit_tokens) ??
    count(report.num_cached_tokens) ??
    count(details.cached_tokens) ??
    0
  const cacheWrite = count(details.cache_write_tokens) ?? 0
  const total = count(report.total_tokens)
  const completion = endpoint === 'embeddings' ? 0 : count(report.completion_tokens)
  const missed = count(report.prompt_cache_miss_tokens)
  const ownPrompt = count(report.prompt_tokens) ?? (missed === undefined ? undefined : missed + cacheRead)
  // Without its own count, the output follows from the two others, or from nothing.
  if (completion === undefined && (ownPrompt === undefined || total === undefined)) return null
  const prompt = ownPrompt ?? (total === undefined ? undefined : Math.max(0, total - (completion ?? 0)))
  if (prompt === undefined) return null

  const prompts = splitPrompt(prompt, cacheRead, cacheWrite)
  const reasoning = count(fields(report.completion_tokens_details).reasoning_tokens) ?? 0
  const { input, cache_read, cache_write, anomalous } = prompts
  const wholePrompt = input + cache_read + cache_write
  const output =
    endpoint === 'embeddings' ? 0 : outputTokens(wholePrompt, completion ?? 0, { total, reasoning })
  if (wholePrompt + output === 0) return null
  return {
    buckets: { input, cache_read, cache_write, output },
    anomaly: anomalous ? JSON.stringify(usage) : null,
  }
}

function splitPrompt(prompt: number, cacheRead: number, cacheWrite: number) {
  const plain = prompt - cacheRead - cacheWrite
  if (plain >= 0) return { input: plain, cache_read: cacheRead, cache_write: cacheWrite, anomalous: false }
  const input = cacheRead > prompt ? prompt : 0
  return { input, cache_read: cacheRead, cache_write: cacheWrite, anomalous: true }
}

function outputTokens(
  prompt: number,
  completion: number,
  { total, reasoning }: { readonly total: number | undefined; readonly reasoning: number },
): number {
  if (total === undefined || total <= prompt + completion) return completion
  if (reasoning > 0 && total === prompt + completion + reasoning) return completion + reasoning
  return total - prompt
}
