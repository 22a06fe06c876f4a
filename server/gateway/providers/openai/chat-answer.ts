import { type ReportedUsage, readUsage } from '#gateway/metering/usage.ts'
import {
  type DataEvent,
  DONE,
  type EventReading,
  type Members,
  parseMembers,
  rewrap,
  type StreamedAnswer,
} from '#gateway/providers/event-stream-reader.ts'
import { publicModelEdit } from '#gateway/providers/read-reply.ts'
import { fromErrorInside, invalidAnswer } from '#gateway/providers/upstream-error.ts'
import { type Edit, findMember, removeMember, spliceBytes } from '#lib/json-scan.ts'
import { sseEvent } from '#lib/sse.ts'
import { generatedText, hasContent } from './chat-content.ts'

const EMPTY = Buffer.alloc(0)

/** What a choice of a chunk brings. */
export type ChoiceReading = {
  textOf(choice: Members): string
  hasContent(choice: Members): boolean
}

const CHAT_CHOICES: ChoiceReading = {
  textOf: ({ delta }) => generatedText(delta),
  hasContent: ({ delta }) => hasContent(delta),
}

export type ChatAnswerOptions = {
  readonly publicModel: string
  /** Whether the client asked for a usage chunk; one that did not sees none. */
  readonly asksForUsage: boolean
  readonly choices: number
}

/**
 * A streamed chat completion. It passes byte for byte but for the model's name and the usage that only metering asked
 * for; it is complete when every choice has its finish reason.
 */
export class ChatAnswer implements StreamedAnswer {
  readonly #options: ChatAnswerOptions
  readonly #reading: ChoiceReading
  readonly #finished = new Set<number>()
  readonly #seen = new Set<number>()
  #hasBegun = false
  #done = false

  usage: ReportedUsage | null = null

  constructor(options: ChatAnswerOptions, reading: ChoiceReading = CHAT_CHOICES) {
    this.#options = options
    this.#reading = reading
  }

  /** Whether every choice that was asked for has its finish reason, or the upstream said that it is done. */
  get isComplete(): boolean {
    return this.#done || this.#finished.size >= Math.max(this.#options.choices, this.#seen.size)
  }

  get isDone(): boolean {
    return this.#done
  }

  get isWholeAtEnd(): boolean {
    return this.#done || (this.#seen.size > 0 && this.#finished.size === this.#seen.size)
  }

  /** A complete answer ends with the word that clients wait for, even where the upstream forgets it. */
  lastWord(): Buffer {
    return this.#done ? EMPTY : sseEvent(DONE)
  }

  read(event: DataEvent): EventReading {
    if (isDone(event.data)) return this.#readDone(event)
    const chunk = parseMembers(event.data)
    if (chunk === null)
      return { kind: 'failed', failure: invalidAnswer('an event that is not a JSON object') }
    if (chunk.error || event.name === 'error') return { kind: 'failed', failure: fromErrorInside(chunk) }
    return this.#readChunk(event, chunk)
  }

  #readDone(event: DataEvent): EventReading {
    if (!this.#hasBegun) return { kind: 'failed', failure: invalidAnswer('a stream without any event') }
    this.#done = true
    return { kind: 'passed', bytes: event.raw, text: '', hasContent: false }
  }

  #readChunk(event: DataEvent, chunk: Members): EventReading {
    this.#hasBegun = true
    const reported = chunk.usage ?? groqUsage(chunk)
    if (reported) this.usage = readUsage(reported, 'chat') ?? this.usage
    const choices = Array.isArray(chunk.choices) ? chunk.choices : []
    let text = ''
    let isContent = false
    for (const choice of choices) {
      if (typeof choice !== 'object' || choice === null) continue
      const members = choice as Members // an object's members may be read by name
      this.#readFinish(members)
      text += this.#reading.textOf(members)
      isContent ||= this.#reading.hasContent(members)
    }
    return { kind: 'passed', bytes: this.#render(event, chunk, choices.length), text, hasContent: isContent }
  }

  #readFinish({ index, finish_reason: reason }: Members): void {
    const at = typeof index === 'number' ? index : 0
    this.#seen.add(at)
    if (typeof reason === 'string' && reason !== '') this.#finished.add(at)
  }

  /** The event as the client may see it; null when it was only for us. */
  #render(event: DataEvent, chunk: Members, choices: number): Buffer | null {
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
}

function isDone(data: Buffer): boolean {
  return data.length < 16 && data.toString().trim() === DONE
}

/** Groq reports a stream's usage beside its own request id: https://console.groq.com/docs (2026-11). */
function groqUsage(chunk: Members): unknown {
  const own = chunk.x_groq
  return typeof own === 'object' && own !== null && 'usage' in own ? own.usage : null
}
