import type { InputBuckets, ReportedUsage } from '#gateway/metering/usage.ts'
import { joinAdjacent } from '#lib/join-adjacent.ts'
import { type SseEvent, SseSplitter, sseEvent } from '#lib/sse.ts'
import type { StreamReader } from './answer-protocol.ts'
import type { AttemptFailure } from './provider.ts'
import { invalidAnswer } from './upstream-error.ts'

const MAX_EVENT_BYTES = 32 * 1024 * 1024
/** Texts longer than this are not kept whole: they are only wanted for an estimate. */
const MAX_KEPT_TEXT = 2_000_000

/** An event that carries data. */
export type DataEvent = SseEvent & { readonly data: Buffer }

/** What an event comes to for the client and for metering. */
export type EventReading =
  | {
      readonly kind: 'passed'
      /** The event as the client may see it; null when it was only for us. */
      readonly bytes: Buffer | null
      /** The text that was generated with it. */
      readonly text: string
      /** Whether it is a piece of content. */
      readonly hasContent: boolean
    }
  /** It only keeps the connection open: before the first event there is nothing to keep open yet. */
  | { readonly kind: 'keep-alive' }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure }

/** One streamed answer of a protocol: what its events mean, and how far it has come. */
export type StreamedAnswer = {
  /** Reads the next event. The event that completes the answer must show in `isComplete` when this returns. */
  read(event: DataEvent): EventReading
  readonly isComplete: boolean
  readonly isDone: boolean
  /** Whether the answer is whole although nothing more came. */
  readonly isWholeAtEnd: boolean
  readonly usage: ReportedUsage | null
  /** What the upstream reported of the input before it reported all; null where it did not. */
  readonly inputUsage?: InputBuckets | null
  readonly nextEventNumber?: number
  /** What a whole answer ends with where the upstream forgets it. */
  lastWord(): Buffer
}

/** Cuts a stream of events, asks its protocol what each of them means, and holds the completion back. */
export class EventStreamReader implements StreamReader {
  readonly #answer: StreamedAnswer
  readonly #splitter = new SseSplitter()
  #out: Buffer[] = []
  #heldBack: Buffer[] = []
  #heldBackText = ''
  #failure: AttemptFailure | null = null
  #hasBegun = false

  outputText = ''
  hasContent = false

  constructor(answer: StreamedAnswer) {
    this.#answer = answer
  }

  get usage(): ReportedUsage | null {
    return this.#answer.usage
  }

  get inputUsage(): InputBuckets | null {
    return this.#answer.inputUsage ?? null
  }

  get nextEventNumber(): number {
    return this.#answer.nextEventNumber ?? 0
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get isComplete(): boolean {
    return this.#answer.isComplete
  }

  get isDone(): boolean {
    return this.#answer.isDone
  }

  get failure(): AttemptFailure | null {
    return this.#failure
  }

  push(bytes: Buffer): void {
    for (const event of this.#splitter.push(bytes)) this.#read(event)
    if (this.#splitter.pendingBytes > MAX_EVENT_BYTES) this.#fail(invalidAnswer('an event without end'))
  }

  takeOutput(): Buffer {
    const out = this.#out
    this.#out = []
    return joinAdjacent(out)
  }

  end(hasEndedWell: boolean): Buffer | null {
    for (const event of this.#splitter.end()) this.#readRest(event)
    // Of a connection that was cut, only what was complete before is whole.
    const isWhole = this.isComplete || (hasEndedWell && this.#answer.isWholeAtEnd)
    if (this.#failure || !isWhole) return null
    this.#keepText(this.#heldBackText)
    return Buffer.concat([...this.#heldBack, this.#answer.lastWord()])
  }

  /** What the end of the connection left over: a whole event without its blank line, or half of one. */
  #readRest(event: SseEvent): void {
    const text = event.data?.toString().trim()
    if (text === undefined || !(text === DONE || parseMembers(event.data) !== null)) return
    const raw = sseEvent(text, event.name ?? undefined)
    this.#read({ ...event, raw })
  }

  #read(event: SseEvent): void {
    if (this.#failure || this.#answer.isDone) return
    if (!hasData(event)) {
      this.#keepAlive(event)
      return
    }
    const reading = this.#answer.read(event)
    if (reading.kind === 'failed') this.#fail(reading.failure)
    else if (reading.kind === 'keep-alive') this.#keepAlive(event)
    else {
      this.#hasBegun = true
      this.#take(reading.text, reading.hasContent)
      if (reading.bytes) this.#emit(reading.bytes)
    }
  }

  #keepAlive({ raw }: SseEvent): void {
    if (this.#hasBegun) this.#emit(raw)
  }

  #take(text: string, hasContent: boolean): void {
    if (this.isComplete) this.#heldBackText += text
    else {
      this.hasContent ||= hasContent
      this.#keepText(text)
    }
  }

  #fail(failure: AttemptFailure): void {
    // A complete answer stays one, however the upstream's connection goes on.
    if (!this.isComplete) this.#failure ??= failure
  }

  #keepText(text: string): void {
    if (this.outputText.length < MAX_KEPT_TEXT) this.outputText += text
  }

  #emit(bytes: Buffer): void {
    if (this.isComplete) this.#heldBack.push(bytes)
    else this.#out.push(bytes)
  }
}

/** The word with which OpenAI's streams end. */
export const DONE = '[DONE]'

function hasData(event: SseEvent): event is DataEvent {
  return event.data !== null
}

export type Members = Readonly<Record<string, unknown>>

/** The JSON object that the data hold; null when they hold something else. */
export function parseMembers(data: Buffer | null): Members | null {
  if (data === null) return null
  try {
    const value: unknown = JSON.parse(data.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null // checked
  } catch {
    return null
  }
}

/** Puts changed data back into the event, whose other fields stay as they came. */
export function rewrap({ raw, data: original, name }: DataEvent, data: Buffer): Buffer {
  const at = raw.indexOf(original)
  if (at === -1) return sseEvent(data.toString(), name ?? undefined)
  return Buffer.concat([raw.subarray(0, at), data, raw.subarray(at + original.length)])
}
