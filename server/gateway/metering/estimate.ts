/**
 * Estimates the tokens of a request whose upstream reported none, by OpenAI's o200k encoding: exact for its newer
 * models and near for others. Loaded only in a worker thread, since its tables take a while to build.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { EndpointName, TokenBuckets } from '#contract/usage.ts'

/** Longer texts are counted by this much of their beginning; the rest is taken to be alike. */
const COUNTED_CHARS = 400_000
/** What OpenAI's cookbook names for wrapping a message and for priming the answer (how to count tokens, 2024). */
const TOKENS_PER_MESSAGE = 3
const TOKENS_TO_PRIME = 3
/** An image of 1024 by 1024 in high detail takes 765 tokens by OpenAI's vision guide. */
const TOKENS_PER_IMAGE = 765
/** Base64 data and links say nothing about tokens: they are not counted as text. */
const MEDIA_MEMBERS = new Set(['image_url', 'input_audio', 'file', 'image', 'audio', 'video_url'])

function countText(text: string): number {
  if (text.length <= COUNTED_CHARS) return countTokens(text)
  return Math.ceil((countTokens(text.slice(0, COUNTED_CHARS)) * text.length) / COUNTED_CHARS)
}

/** The input of an answered request and the text of its output, as buckets. Caches are unknown, so all input is plain. */
export function estimateTokens(
  endpoint: EndpointName,
  requestBytes: Buffer,
  outputText: string,
): TokenBuckets {
  const body: unknown = JSON.parse(requestBytes.toString('utf8'))
  const input = endpoint === 'chat' ? countChat(body) : countInputs(member(body, 'input'))
  return { input, cache_read: 0, cache_write: 0, output: outputText === '' ? 0 : countText(outputText) }
}

function member(value: unknown, name: string): unknown {
  // Reading a member of an object by name; whatever is found is looked at before use.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function countChat(body: unknown): number {
  const messages = member(body, 'messages')
  const texts: string[] = []
  let media = 0
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) value.forEach(collect)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (MEDIA_MEMBERS.has(name)) media++
        else if (name !== 'type') collect(inner)
      }
    }
  }
  collect(messages)
  const tools = member(body, 'tools') ?? member(body, 'functions')
  if (tools !== undefined) texts.push(JSON.stringify(tools))
  const schema = member(body, 'response_format')
  if (schema !== undefined) texts.push(JSON.stringify(schema))
  const count = Array.isArray(messages) ? messages.length : 0
  return countText(texts.join('\n')) + count * TOKENS_PER_MESSAGE + TOKENS_TO_PRIME + media * TOKENS_PER_IMAGE
}

/** An embeddings input: texts, or tokens that need no counting. */
function countInputs(input: unknown): number {
  if (typeof input === 'string') return countText(input)
  if (typeof input === 'number') return 1
  return Array.isArray(input) ? input.reduce((sum: number, item) => sum + countInputs(item), 0) : 0
}
