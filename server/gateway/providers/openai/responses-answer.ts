import { readResponsesUsage } from '#gateway/metering/responses-usage.ts'
import type { ReportedUsage } from '#gateway/metering/usage.ts'
import {
  type DataEvent,
  DONE,
  type EventReading,
  parseMembers,
  rewrap,
  type StreamedAnswer,
} from '#gateway/providers/event-stream-reader.ts'
import { type Members, nestedModelEdit } from '#gateway/providers/read-reply.ts'
import { fromErrorInside, invalidAnswer } from '#gateway/providers/upstream-error.ts'
import { spliceBytes } from '#lib/json-scan.ts'
import { isContent, textOfEvent } from './responses-content.ts'

const EMPTY = Buffer.alloc(0)
const NOTHING = { text: '', hasContent: false } as const

/** The events that end an answer that is whole; both carry the usage within their `response`. */
const TERMINAL = new Set<unknown>(['response.completed', 'response.incomplete'])

/**
 * A streamed response of OpenAI's Responses. It passes byte for byte but for the model's name, which stands in the
 * `response` that some events repeat; it is complete with its terminal event.
 */
export class ResponsesAnswer implements StreamedAnswer {
  readonly #publicModel: string
  #isComplete = false

  usage: ReportedUsage | null = null
  nextEventNumber = 0

  constructor({ publicModel }: { readonly publicModel: string }) {
    this.#publicModel = publicModel
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get isDone(): boolean {
    return this.#isComplete
  }

  get isWholeAtEnd(): boolean {
    return this.#isComplete
  }

  lastWord(): Buffer {
    return EMPTY
  }

  read(event: DataEvent): EventReading {
    // Some compatible servers say so after all; no client waits for it.
    if (event.data.toString().trim() === DONE) return { kind: 'keep-alive' }
    const said = parseMembers(event.data)
    if (said === null) return { kind: 'failed', failure: invalidAnswer('an event that is not a JSON object') }
    if (said.type === 'error' || said.error || event.name === 'error') {
      return { kind: 'failed', failure: fromErrorInside(said.error ? said : { error: said }) }
    }
    const response = membersOf(said.response)
    if (said.type === 'response.failed') {
      return { kind: 'failed', failure: fromErrorInside(response ?? said) }
    }
    if (typeof said.sequence_number === 'number') this.nextEventNumber = said.sequence_number + 1
    if (TERMINAL.has(said.type)) {
      this.#isComplete = true
      this.usage = readResponsesUsage(response?.usage)
    }
    return { kind: 'passed', bytes: this.#render(event, response), ...this.#content(said) }
  }

  #content(said: Members) {
    return isContent(said) ? { text: textOfEvent(said), hasContent: true } : NOTHING
  }

  #render(event: DataEvent, response: Members | null): Buffer {
    const edit = nestedModelEdit(event.data, { name: 'response', parsed: response }, this.#publicModel)
    return edit === null ? event.raw : rewrap(event, spliceBytes(event.data, [edit]))
  }
}

function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null ? (value as Members) : null // an object's members may be read by name
}
