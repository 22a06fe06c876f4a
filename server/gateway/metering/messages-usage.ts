import { longWrites } from './long-writes.ts'
import { count, type Fields, fields, type InputBuckets, type ReportedUsage } from './usage.ts'

/**
 * Reads the usage of Anthropic's Messages. Its three counts of the input are disjoint as they come, and its output holds
 * the thinking: doc comments of `Usage` in its SDK 1.11. null where a compatible server leaves the input or the output open:
 * that is metered by an estimate.
 */
export function readMessagesUsage(usage: unknown): ReportedUsage | null {
  const report = fields(usage)
  const rounds = countRounds(report.iterations)
  const input = rounds?.input ?? count(report.input_tokens)
  const output = rounds?.output ?? count(report.output_tokens)
  const cacheRead = count(report.cache_read_input_tokens) ?? 0
  const cacheWrite = count(report.cache_creation_input_tokens) ?? countWrites(report.cache_creation)
  if (input === undefined || output === undefined) return null
  const buckets = {
    input,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    output,
    ...longWrites(count(fields(report.cache_creation).ephemeral_1h_input_tokens), cacheWrite),
  }
  const total = buckets.input + buckets.cache_read + buckets.cache_write + buckets.output
  return total === 0 ? null : { buckets, anomaly: null }
}

/**
 * The sum over the rounds in which an answer came about, where the upstream lists them: its totals leave out those in which
 * it shortened the conversation. They hold all where another model took over. Rounds of an adviser are another model's,
 * and no part of either. Comments of `usage.iterations` in @ai-sdk/anthropic 4.0.
 */
function countRounds(iterations: unknown): { input: number; output: number } | null {
  if (!Array.isArray(iterations)) return null
  const rounds = iterations.map(fields)
  const own = rounds.filter(({ type }) => type === 'message' || type === 'compaction')
  if (own.length === 0 || rounds.some(({ type }) => type === 'fallback_message')) return null
  const sum = (name: string) => own.reduce((total, round) => total + (count(round[name]) ?? 0), 0)
  return { input: sum('input_tokens'), output: sum('output_tokens') }
}

/** Writes by how long they live; their sum is the total, which some compatible servers leave out. */
function countWrites(creation: unknown): number {
  const report = fields(creation)
  return (count(report.ephemeral_5m_input_tokens) ?? 0) + (count(report.ephemeral_1h_input_tokens) ?? 0)
}

/**
 * The usage of a stream. Its first event reports the input; its last, counts that run up: what they name takes the place
 * of what was known, and is never added to it.
 */
export class MessagesUsage {
  #merged: Fields = {}
  #hasFinal = false

  /** Takes the report of `message_start`. */
  begin(usage: unknown): void {
    this.#merge(usage)
  }

  /** Takes the report of a `message_delta`. */
  add(usage: unknown): void {
    if (count(fields(usage).output_tokens) === undefined) return
    this.#merge(usage)
    this.#hasFinal = true
  }

  /** The whole report; null before the output was reported. */
  get final(): ReportedUsage | null {
    return this.#hasFinal ? readMessagesUsage(this.#merged) : null
  }

  /** What is known of the input alone. */
  get input(): InputBuckets | null {
    const read = readMessagesUsage({ ...this.#merged, output_tokens: 0 })
    if (read === null) return null
    const { output: _, ...input } = read.buckets
    return input
  }

  #merge(usage: unknown): void {
    const named = Object.entries(fields(usage)).filter(([, value]) => value !== null)
    this.#merged = { ...this.#merged, ...Object.fromEntries(named) }
  }
}
