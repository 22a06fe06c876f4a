import { type ReportedUsage, readUsage } from '#gateway/metering/usage.ts'
import type { AttemptFailure, StreamReading } from '#gateway/providers/provider.ts'
import { type Edit, findMember, removeMember, spliceBytes } from '#lib/json-scan.ts'
import { type SseEvent, SseSplitter, sseEvent } from '#lib/sse.ts'
import { fromErrorInside, invalidAnswer } from '../upstream-error.ts'
import { generatedText, hasContent } from './chat-content.ts'
import { publicModelEdit } from './read-reply.ts'

const MAX_EVENT_BYTES = 32 * 1024 * 1024
/** Texts longer than this are not kept whole: they are only wanted for an estimate. */
const MAX_KEPT_TEXT = 2_000_000
const DONE = '[DONE]'
const EMPTY = Buffer.alloc(0)

type Members = Readonly<Record<string, unknown>>

export type ChatStreamOptions = {
  readonly publicModel: string
  /** Whether the client asked for a usage chunk; one that did not sees none. */
  readonly asksForUsage: boolean
  readonly choices: number
}

/**
 * Reads an OpenAI chat stream as it passes. What comes before the completion is handed on at once, byte for byte but
 * for the model's name and the usage that only metering asked for. From the event that completes the last choice on,
 * the bytes are held back: a client that holds a complete answer must find it on the ledger.
 */
export class ChatStreamReader implements StreamReading {
  readonly #options: ChatStreamOptions
  readonly #splitter = new SseSplitter()
  readonly #finished = new Set<number>()
  readonly #seen = new Set<number>()
  #out: Buffer[] = []
  #heldBack: Buffer[] = []
  #heldBackText = ''
  #done = false
  #failure: AttemptFailure | null = null
  #hasBegun = false

  usage: ReportedUsage | null = null
  outputText = ''
  hasContent = false

  constructor(options: ChatStreamOptions) {
    this.#options = options
  }

  /** Whether the first event is there and was no error. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Whether every choice that was asked for has its finish reason, or the upstream said that it is done. */
  get isComplete(): boolean {
    return this.#done || this.#finished.size >= Math.max(this.#options.choices, this.#seen.size)
  }

  /** Whether nothing more is worth waiting for. */
  get isDone(): boolean {
    return this.#done
  }

  get failure(): AttemptFailure | null {
    return this.#failure
  }

  /** Takes in a piece of the stream. */
  push(bytes: Buffer): void {
    for (const event of this.#splitter.push(bytes)) this.#read(event)
    if (this.#splitter.pendingBytes > MAX_EVENT_BYTES) this.#fail(invalidAnswer('an event without end'))
  }

  /** The bytes that may go to the client now. */
  takeOutput(): Buffer {
    const out = this.#out
    this.#out = []
    return joinAdjacent(out)
  }

  /**
   * The upstream's connection has ended, well or badly. Returns the bytes that were held back when the stream is
   * complete, null when it broke off.
   */
  end(): Buffer | null {
    for (const event of this.#splitter.end()) this.#readRest(event)
    const everyChoiceFinished = this.#seen.size > 0 && this.#finished.size === this.#seen.size
    if (this.#failure || !(this.#done || everyChoiceFinished)) return null
    this.#keepText(this.#heldBackText)
    // A complete answer ends with the word that clients wait for, even where the upstream forgets it.
    const ending = this.#done ? EMPTY : sseEvent(DONE)
    return Buffer.concat([...this.#heldBack, ending])
  }

  /** What the end of the connection left over: a whole event without its blank line, or half of one. */
  #readRest(event: SseEvent): void {
    const text = event.data?.toString().trim()
    if (text !== DONE && parseMembers(event.data) === null) return
    this.#read({ ...event, raw: sseEvent(text ?? '') })
  }

  #read(event: SseEvent): void {
    if (this.#failure || this.#done) return
    if (event.data === null) {
      // Comments keep a silent connection open; before the first event there is nothing to keep open yet.
      if (this.#hasBegun) this.#emit(event.raw)
    } else if (isDone(event.data)) {
      this.#readDone(event)
    } else {
      const chunk = parseMembers(event.data)
      if (chunk === null) this.#fail(invalidAnswer('an event that is not a JSON object'))
      else if (chunk.error || event.name === 'error') this.#fail(fromErrorInside(chunk))
      else this.#readChunk(event, chunk)
    }
  }

  #readDone(event: SseEvent): void {
    if (!this.#hasBegun) {
      this.#fail(invalidAnswer('a stream without any event'))
      return
    }
    this.#done = true
    this.#emit(event.raw)
  }

  #fail(failure: AttemptFailure): void {
    // A complete answer stays one, however the upstream's connection goes on.
    if (!this.isComplete) this.#failure ??= failure
  }

  #readChunk(event: SseEvent, chunk: Members): void {
    this.#hasBegun = true
    const reported = chunk.usage ?? groqUsage(chunk)
    if (reported) this.usage = readUsage(reported, 'chat') ?? this.usage
    const choices = Array.isArray(chunk.choices) ? chunk.choices : []
    // The chunk that brings the last finish reason is itself held back, so it is looked through before it goes on.
    for (const choice of choices) this.#readFinish(choice)
    for (const choice of choices) this.#readDelta(choice)
    const bytes = this.#render(event, chunk, choices.length)
    if (bytes) this.#emit(bytes)
  }

  #readFinish(choice: unknown): void {
    if (typeof choice !== 'object' || choice === null) return
    const { index, finish_reason: reason } = choice as Members // an object's members may be read by name
    const at = typeof index === 'number' ? index : 0
    this.#seen.add(at)
    if (typeof reason === 'string' && reason !== '') this.#finished.add(at)
  }

  #readDelta(choice: unknown): void {
    if (typeof choice !== 'object' || choice === null || !('delta' in choice)) return
    const text = generatedText(choice.delta)
    if (this.isComplete) {
      this.#heldBackText += text
      return
    }
    this.hasContent ||= hasContent(choice.delta)
    this.#keepText(text)
  }

  #keepText(text: string): void {
    if (this.outputText.length < MAX_KEPT_TEXT) this.outputText += text
  }

  /** The event as the client may see it; null when it was only for us. */
  #render(event: SseEvent, chunk: Members, choices: number): Buffer | null {
    if (event.data === null) return event.raw
    const edits: Edit[] = []
    if (!this.#options.asksForUsage && typeof chunk.usage === 'object' && chunk.usage !== null) {
      if (choices === 0) return null
      const usage = findMember(event.data, 'usage')
      if (usage) edits.push(removeMember(event.data, usage))
    }
    const rename = publicModelEdit(event.data, chunk, this.#options.publicModel)
    if (rename) edits.push(rename)
    return edits.length === 0 ? event.raw : rewrap(event, spliceBytes(event.data, edits))
  }

  #emit(bytes: Buffer): void {
    if (this.isComplete) this.#heldBack.push(bytes)
    else this.#out.push(bytes)
  }
}

function isDone(data: Buffer): boolean {
  return data.length < 16 && data.toString().trim() === DONE
}

function parseMembers(data: Buffer | null): Members | null {
  if (data === null) return null
  try {
    const value: unknown = JSON.parse(data.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null // checked
  } catch {
    return null
  }
}

/** Groq reports a stream's usage beside its own request id: https://console.groq.com/docs (2026-11). */
function groqUsage(chunk: Members): unknown {
  const own = chunk.x_groq
  return typeof own === 'object' && own !== null && 'usage' in own ? own.usage : null
}

/** Puts changed data back into the event, whose other fields stay as they came. */
function rewrap(event: SseEvent, data: Buffer): Buffer {
  const original = event.data
  const at = original === null ? -1 : event.raw.indexOf(original)
  if (original === null || at === -1) return sseEvent(data.toString())
  return Buffer.concat([event.raw.subarray(0, at), data, event.raw.subarray(at + original.length)])
}

/** Joins pieces; those that lie side by side in memory are joined without copying. */
function joinAdjacent(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  if (!first) return EMPTY
  if (pieces.length === 1) return first
  let end = first.byteOffset + first.length
  for (const piece of pieces.slice(1)) {
    if (piece.buffer !== first.buffer || piece.byteOffset !== end) return Buffer.concat(pieces)
    end += piece.length
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset)
}
