import { MessagesUsage } from '#gateway/metering/messages-usage.ts'
import type { InputBuckets, ReportedUsage } from '#gateway/metering/usage.ts'
import {
  type DataEvent,
  type EventReading,
  parseMembers,
  rewrap,
  type StreamedAnswer,
} from '#gateway/providers/event-stream-reader.ts'
import { type Members, nestedModelEdit } from '#gateway/providers/read-reply.ts'
import { invalidAnswer } from '#gateway/providers/upstream-error.ts'
import { spliceBytes } from '#lib/json-scan.ts'
import { sseEvent } from '#lib/sse.ts'
import { isContent, textOfEvent } from './messages-content.ts'
import { fromMessagesError } from './messages-error.ts'

const EMPTY = Buffer.alloc(0)
const NOTHING = { text: '', hasContent: false } as const

/**
 * A streamed answer of Anthropic's Messages. It passes byte for byte but for the model's name in its first event; it is
 * complete with the `message_delta` that brings the reason why it stopped, and done with `message_stop`.
 */
export class MessagesAnswer implements StreamedAnswer {
  readonly #publicModel: string
  readonly #usage = new MessagesUsage()
  #hasBegun = false
  #isComplete = false
  #isDone = false

  constructor({ publicModel }: { readonly publicModel: string }) {
    this.#publicModel = publicModel
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get isDone(): boolean {
    return this.#isDone
  }

  get isWholeAtEnd(): boolean {
    return this.#isComplete
  }

  get usage(): ReportedUsage | null {
    return this.#usage.final
  }

  get inputUsage(): InputBuckets | null {
    return this.#usage.input
  }

  lastWord(): Buffer {
    return this.#isDone ? EMPTY : sseEvent('{"type":"message_stop"}', 'message_stop')
  }

  read(event: DataEvent): EventReading {
    const said = parseMembers(event.data)
    if (said === null) return { kind: 'failed', failure: invalidAnswer('an event that is not a JSON object') }
    const type = said.type ?? event.name
    if (type === 'ping') return { kind: 'keep-alive' }
    if (type === 'error') return { kind: 'failed', failure: fromMessagesError(said) }
    if (type === 'message_start') return this.#readStart(event, said)
    if (!this.#hasBegun) {
      return { kind: 'failed', failure: invalidAnswer('a stream that does not begin with message_start') }
    }
    switch (type) {
      case 'message_delta':
        this.#readDelta(said)
        return { kind: 'passed', bytes: event.raw, ...NOTHING }
      case 'message_stop':
        this.#isComplete = true
        this.#isDone = true
        return { kind: 'passed', bytes: event.raw, ...NOTHING }
      default:
        return { kind: 'passed', bytes: event.raw, text: textOfEvent(said), hasContent: isContent(said) }
    }
  }

  #readStart(event: DataEvent, said: Members): EventReading {
    this.#hasBegun = true
    const message = membersOf(said.message)
    this.#usage.begin(message?.usage)
    const edit = nestedModelEdit(event.data, { name: 'message', parsed: message }, this.#publicModel)
    const bytes = edit === null ? event.raw : rewrap(event, spliceBytes(event.data, [edit]))
    return { kind: 'passed', bytes, ...NOTHING }
  }

  #readDelta(said: Members): void {
    this.#usage.add(said.usage)
    if (typeof membersOf(said.delta)?.stop_reason === 'string') this.#isComplete = true
  }
}

function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null ? (value as Members) : null // an object's members may be read by name
}
