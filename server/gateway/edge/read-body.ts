import type { IncomingMessage } from 'node:http'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { AskedEndpoint } from '#gateway/generation-request.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { allocateBytes, joinBytes, SMALL_BYTES } from '#lib/shared-bytes.ts'
import { type ClientRequest, headerOf } from '#server/http/client-exchange.ts'
import { BODY_SHAPES } from './body-shapes.ts'

export const MAX_BODY_BYTES = 32 * 1024 * 1024
/** All bodies that are held at one time: beyond it new ones are refused, so that memory stays bounded. */
const MAX_HELD_BYTES = 2 * 1024 * 1024 * 1024

const NO_ROOM = refusals.unavailable('Too many large requests at once')

const JSON_TYPE = /^application\/json\s*(;|$)/i
const FORM_TYPE = /^multipart\/form-data\s*;/i

/** Counts the bytes of request bodies that are held in memory. */
export class BodyBudget {
  #heldBytes = 0

  hasRoomFor(bytes: number): boolean {
    return this.#heldBytes + bytes <= MAX_HELD_BYTES
  }

  hold(bytes: number): void {
    this.#heldBytes += bytes
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes
  }
}

/** A body that is held until it is released. */
export type HeldBody = { readonly bytes: Buffer; release(): void }

/** The client went away before its request was complete. */
export type BodyRefusal = ServiceError | 'client-left'

/** What is asked for decides how it is asked: in form data where files go along, else in JSON. */
export type BodyRequest = { readonly request: ClientRequest; readonly endpoint: AskedEndpoint }

/** Collects a request's body into one run of bytes. Refuses one that is of another type than is due, or too large. */
export function readBody(
  { request, endpoint }: BodyRequest,
  budget: BodyBudget,
): Outcome<HeldBody, BodyRefusal> | Promise<Outcome<HeldBody, BodyRefusal>> {
  // A client that left while it was being let in tells so no more: the events below are over by now.
  if (request.destroyed) return refused('client-left')
  const isForm = BODY_SHAPES[endpoint] === undefined
  const unsupported = refusals.unsupportedMediaType(isForm ? 'multipart/form-data' : 'application/json')
  const isDue = isForm ? FORM_TYPE : JSON_TYPE
  if (!isDue.test(headerOf(request, 'content-type') ?? '')) return refused(unsupported)
  const encoding = headerOf(request, 'content-encoding')
  if (encoding !== undefined && encoding !== 'identity') return refused(unsupported)
  const announced = 'body' in request ? request.body.length : Number(request.headers['content-length'] ?? 0)
  if (announced > MAX_BODY_BYTES) return refused(refusals.tooLarge(MAX_BODY_BYTES))
  if (!budget.hasRoomFor(announced)) return refused(NO_ROOM)
  const collector = new BodyCollector(announced, budget)
  return 'body' in request ? take(request.body, collector) : collect(request, collector)
}

function take(body: Buffer, collector: BodyCollector): Outcome<HeldBody, BodyRefusal> {
  const refusal = collector.add(body)
  if (refusal === null) return accepted(collector.held())
  collector.release()
  return refused(refusal)
}

function collect(
  request: IncomingMessage,
  collector: BodyCollector,
): Promise<Outcome<HeldBody, BodyRefusal>> {
  return new Promise(resolve => {
    let isOver = false
    const finish = (outcome: Outcome<HeldBody, BodyRefusal>) => {
      if (isOver) return
      isOver = true
      if (!outcome.ok) collector.release()
      resolve(outcome)
    }
    request.on('data', (piece: Buffer) => {
      const refusal = isOver ? null : collector.add(piece)
      if (refusal) finish(refused(refusal))
    })
    request.on('end', () => finish(accepted(collector.held())))
    // A request whose connection breaks fails as well, and tells so to those alone who ask; it closes in any case.
    request.on('close', () => finish(refused('client-left')))
  })
}

/** Gathers pieces: a big body straight into memory that worker threads can read, so that it is never copied again. */
class BodyCollector {
  readonly #budget: BodyBudget
  readonly #room: Buffer | null
  #pieces: Buffer[] = []
  #bytes = 0
  #isReleased = false

  constructor(announced: number, budget: BodyBudget) {
    this.#budget = budget
    this.#room = announced > SMALL_BYTES ? allocateBytes(announced) : null
  }

  /** Takes a piece; gives the refusal when the body has become larger than it may be. */
  add(piece: Buffer): ServiceError | null {
    if (this.#room) piece.copy(this.#room, this.#bytes)
    else this.#pieces.push(piece)
    this.#bytes += piece.length
    // Counted as it comes: what was only announced takes no memory, and must not shut others out.
    this.#budget.hold(piece.length)
    if (this.#bytes > MAX_BODY_BYTES) return refusals.tooLarge(MAX_BODY_BYTES)
    return this.#budget.hasRoomFor(0) ? null : NO_ROOM
  }

  held(): HeldBody {
    const bytes = this.#room ? this.#room.subarray(0, this.#bytes) : joinBytes(this.#pieces, this.#bytes)
    return { bytes, release: () => this.release() }
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#pieces = []
    this.#budget.release(this.#bytes)
  }
}
