import type { Socket } from 'node:net'
import { MAX_TEXT_BYTES } from '#lib/pieces.ts'
import type { AnswerFields, ClientResponse } from '#server/http/client-exchange.ts'
import { writeAnswerHead } from './answer-head.ts'
import type { Request } from './request.ts'

/** An answer that waits for those before it asks for patience once it has so much to say. */
const MAX_QUEUED_BYTES = 64 * 1024

type AnswerEvent = 'close' | 'drain'
type AnswerListener = { readonly event: AnswerEvent; readonly listener: () => void; readonly isOnce: boolean }

export type AnswerParts = {
  readonly socket: Socket
  readonly request: Request
  readonly keepAliveSeconds: number
  /** Called when all of the answer has left. */
  readonly onOver: (answer: Answer) => void
}

/**
 * The answer to a request of the front door, which is never one to HEAD, nor has a status without a body. Whatever is
 * written after its end, or after its client has left, goes nowhere.
 */
export class Answer implements ClientResponse {
  readonly #parts: AnswerParts
  readonly #socket: Socket
  /** Waits for the first bytes of the body, so that they leave together. */
  #head = ''
  #isChunked = false
  #isClosed = false
  readonly #listeners: AnswerListener[] = []
  /** What was written before the answers in front of this one were out; null from then on. */
  #queue: (string | Buffer)[] | null
  #queuedBytes = 0
  statusCode = 200
  headersSent = false
  writableEnded = false
  destroyed = false
  shouldKeepAlive = true

  /** `isNext`: no other answer has to be out before. */
  constructor(parts: AnswerParts, isNext: boolean) {
    this.#parts = parts
    this.#socket = parts.socket
    this.#queue = isNext ? null : []
  }

  get req(): Request {
    return this.#parts.request
  }

  get isWaiting(): boolean {
    return this.#queue !== null
  }

  get writableLength(): number {
    return this.#queue === null ? this.#socket.writableLength : this.#queuedBytes
  }

  get writableNeedDrain(): boolean {
    return this.#queue === null ? this.#socket.writableNeedDrain : this.#queuedBytes >= MAX_QUEUED_BYTES
  }

  writeHead(status: number, fields: AnswerFields): void {
    this.#isChunked = !saysLength(fields)
    this.#head = writeAnswerHead({
      status,
      fields,
      isChunked: this.#isChunked,
      keepAliveSeconds: this.shouldKeepAlive ? this.#parts.keepAliveSeconds : null,
    })
    this.statusCode = status
    this.headersSent = true
  }

  write(bytes: Buffer | string): boolean {
    // A chunk without bytes would be the last one.
    if (!this.#isOpen || bytes.length === 0) return true
    this.#send(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, '')
    return !this.writableNeedDrain
  }

  end(bytes: Buffer | string = '', encoding: BufferEncoding = 'utf8'): void {
    if (!this.#isOpen) return
    const last = this.#isChunked ? '0\r\n\r\n' : ''
    if (bytes.length === 0) this.#put(this.#takeHead() + last)
    else if (typeof bytes !== 'string') this.#send(bytes, last)
    else if (encoding === 'latin1' && !this.#isChunked) this.#put(this.#takeHead() + bytes)
    else this.#send(Buffer.from(bytes, encoding), last)
    this.writableEnded = true
    if (this.#queue === null) this.#finishOnceOut()
  }

  /** Those before it still go out whole. */
  destroy(): void {
    this.destroyed = true
    if (this.#queue === null) this.#socket.destroy()
    else this.#queue = []
  }

  on(event: AnswerEvent, listener: () => void): void {
    this.#listeners.push({ event, listener, isOnce: false })
  }

  once(event: AnswerEvent, listener: () => void): void {
    this.#listeners.push({ event, listener, isOnce: true })
  }

  off(event: AnswerEvent, listener: () => void): void {
    const index = this.#listeners.findIndex(known => known.event === event && known.listener === listener)
    if (index !== -1) this.#listeners.splice(index, 1)
  }

  /** The answers before this one are out: what was written so far follows them. */
  begin(): void {
    if (this.destroyed) {
      this.#socket.destroy()
      return
    }
    const queue = this.#queue ?? []
    const wasPatient = this.writableNeedDrain
    this.#queue = null
    this.#socket.cork()
    for (const piece of queue) this.#put(piece)
    this.#socket.uncork()
    if (this.writableEnded) this.#finishOnceOut()
    else if (wasPatient && !this.#socket.writableNeedDrain) this.drained()
  }

  /** The connection takes bytes again. */
  drained(): void {
    if (this.#isOpen) this.#tell('drain')
  }

  /** The client will not have the rest of it, if there is any. */
  abandon(): void {
    if (this.#isClosed) return
    this.destroyed = true
    this.#parts.request.destroyed = true
    this.#close()
  }

  get #isOpen(): boolean {
    return !this.writableEnded && !this.destroyed
  }

  #finishOnceOut(): void {
    if (this.#socket.writableLength === 0) this.#finish()
    // The callback of a write comes after all before it have left, and this one adds nothing to them.
    else this.#socket.write('', () => this.#finish())
  }

  #finish(): void {
    if (this.#isClosed) return
    this.#close()
    this.#parts.onOver(this)
  }

  #close(): void {
    this.#isClosed = true
    this.#tell('close')
  }

  #tell(event: AnswerEvent): void {
    // Whoever is told may say that they have heard enough.
    for (const told of this.#listeners.slice()) {
      if (told.event !== event) continue
      if (told.isOnce) this.off(event, told.listener)
      told.listener()
    }
  }

  #takeHead(): string {
    const head = this.#head
    this.#head = ''
    return head
  }

  /** Sends bytes of the body, framed as the head says, and what follows them. */
  #send(bytes: Buffer, after: string): void {
    const before = this.#isChunked ? `${this.#takeHead()}${bytes.length.toString(16)}\r\n` : this.#takeHead()
    const behind = this.#isChunked ? `\r\n${after}` : after
    if (bytes.length <= MAX_TEXT_BYTES) {
      // As Latin-1 every byte is a character.
      this.#put(before + bytes.toString('latin1') + behind)
      return
    }
    this.#socket.cork()
    this.#put(before)
    this.#put(bytes)
    this.#put(behind)
    this.#socket.uncork()
  }

  /** Writes bytes, or a string with one byte a character. */
  #put(data: string | Buffer): void {
    if (data.length === 0) return
    if (this.#queue === null) {
      this.#socket.write(data, 'latin1')
      return
    }
    this.#queue.push(data)
    this.#queuedBytes += data.length
  }
}

function saysLength(fields: AnswerFields): boolean {
  for (let at = 0; at < fields.length; at += 2) if (fields[at] === 'content-length') return true
  return false
}
