/**
 * Estimates the tokens of a request whose upstream reported none, by OpenAI's o200k encoding: exact for its newer
 * models and near for others. Loaded only in a worker thread, since its tables take a while to build.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { TokenBuckets } from '#contract/usage.ts'
import type { AskedEndpoint } from '#gateway/generation-request.ts'
import { scanObject } from '#lib/json-scan.ts'

/** Longer texts are counted by this much of their beginning; the rest is taken to be alike. */
const COUNTED_CHARS = 400_000
/** What OpenAI's cookbook names for wrapping a message and for priming the answer (how to count tokens, 2024). */
const TOKENS_PER_MESSAGE = 3
const TOKENS_TO_PRIME = 3
/** An image of 1024 by 1024 in high detail takes 765 tokens by OpenAI's vision guide. */
const TOKENS_PER_IMAGE = 765
/** Base64 data and links say nothing about tokens: they are not counted as text. */
const MEDIA_MEMBERS = new Set([
  'image_url',
  'input_audio',
  'file',
  'file_data',
  'file_url',
  'image',
  'audio',
  'video_url',
])
/** What only the upstream can read. */
const SEALED_MEMBERS = new Set(['signature', 'encrypted_content'])

/** The encoder's work grows with the square of a run without spaces, so a longer one is cut; that costs no token in 100. */
const RUN_CHARS = 512
/** Texts are counted as what they are: the encoder's own marks, such as `<|endoftext|>`, are no errors in them. */
const AS_PLAIN_TEXT = { disallowedSpecial: new Set<string>() }

function countText(text: string): number {
  const countedChars = Math.min(text.length, COUNTED_CHARS)
  let tokens = 0
  for (let start = 0; start < countedChars; ) {
    const end = endOfRun(text, start, countedChars)
    tokens += countTokens(text.slice(start, end), AS_PLAIN_TEXT)
    start = end
  }
  return countedChars === text.length ? tokens : Math.ceil((tokens * text.length) / countedChars)
}

/** Where to cut: before the last space, as the encoder does itself, and never within a character. */
function endOfRun(text: string, start: number, limit: number): number {
  const end = start + RUN_CHARS
  if (end >= limit) return limit
  const space = text.lastIndexOf(' ', end)
  if (space > start) return space
  const isWithinCharacter = (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return isWithinCharacter ? end - 1 : end
}

/** The input of an answered request and the text of its output, as buckets. Caches are unknown, so all input is plain. */
export function estimateTokens(
  endpoint: AskedEndpoint,
  requestBytes: Buffer | null,
  outputText: string,
): TokenBuckets {
  const input = requestBytes === null ? 0 : countInput(endpoint, requestBytes)
  return { input, cache_read: 0, cache_write: 0, output: outputText === '' ? 0 : countText(outputText) }
}

function countInput(endpoint: AskedEndpoint, requestBytes: Buffer): number {
  const body: unknown = JSON.parse(requestBytes.toString('utf8'))
  const spoken = SPOKEN[endpoint]
  return spoken
    ? countSpoken(body, requestBytes, spoken)
    : countInputs([member(body, 'input'), member(body, 'prompt')])
}

function member(value: unknown, name: string): unknown {
  // Reading a member of an object by name; whatever is found is looked at before use.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Where the conversation stands in a body, and what a model is told of beside it. */
type Spoken = { readonly conversation: string; readonly told: readonly string[] }

const SPOKEN: Readonly<Partial<Record<AskedEndpoint, Spoken>>> = {
  chat: { conversation: 'messages', told: ['tools', 'functions', 'response_format'] },
  messages: { conversation: 'messages', told: ['tools', 'output_config'] },
  count_tokens: { conversation: 'messages', told: ['tools', 'output_config'] },
  responses: { conversation: 'input', told: ['tools', 'text'] },
  moderations: { conversation: 'input', told: [] },
  rerank: { conversation: 'documents', told: ['query'] },
}
/** Said once, ahead of the conversation. */
const SAID_FIRST = ['system', 'instructions']

function countSpoken(body: unknown, requestBytes: Buffer, { conversation, told }: Spoken): number {
  const messages = member(body, conversation)
  const texts: string[] = []
  let media = 0
  // No recursion: a caller may nest as deep as it likes.
  const unread: unknown[] = [messages, ...SAID_FIRST.map(name => member(body, name))]
  while (unread.length > 0) {
    const value = unread.pop()
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) for (const item of value) unread.push(item)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (MEDIA_MEMBERS.has(name) || isMediaSource(name, inner)) media++
        else if (name !== 'type' && !SEALED_MEMBERS.has(name)) unread.push(inner)
      }
    }
  }
  const { members } = scanObject(requestBytes)
  for (const name of told) {
    const span = members.get(name)
    if (span) texts.push(requestBytes.toString('utf8', span.valueStart, span.valueEnd).replace(/\s+/g, ' '))
  }
  const count = Array.isArray(messages) ? messages.length : messages === undefined ? 0 : 1
  return countText(texts.join('\n')) + count * TOKENS_PER_MESSAGE + TOKENS_TO_PRIME + media * TOKENS_PER_IMAGE
}

/** Anthropic's `source` of an image or document: base64 or a link, unless it says that it is text. */
function isMediaSource(name: string, source: unknown): boolean {
  const type = member(source, 'type')
  return name === 'source' && (type === 'base64' || type === 'url' || type === 'file')
}

/** An embeddings input: texts, or tokens that need no counting. */
function countInputs(input: unknown): number {
  if (typeof input === 'string') return countText(input)
  if (typeof input === 'number') return 1
  return Array.isArray(input) ? input.reduce((sum: number, item) => sum + countInputs(item), 0) : 0
}
