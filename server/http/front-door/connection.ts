import type { Socket } from 'node:net'
import type { Serve } from '#server/http/client-exchange.ts'
import { Answer, type AnswerParts } from './answer.ts'
import { type GlancedHead, glanceAtHead } from './glance-at-head.ts'
import { Request } from './request.ts'

/** A request of up to this size is waited for when it does not come whole. */
const MAX_AWAITED_BYTES = 64 * 1024

/** So many requests are served at one time when a client sends them without waiting for answers. */
const MAX_AT_ONCE = 16
/** And so much of what follows them is taken in. */
const MAX_HELD_BYTES = 64 * 1024

/** A new connection that says nothing for so many ticks is node's to end. */
const MAX_SILENT_TICKS = 10

/** A whole first line that begins no request; empty lines may stand before it (RFC 9112, section 2.2). */
const NO_REQUEST_LINE = /^[\r\n]*(?![!-~]+ [!-~]+ HTTP\/1\.[01]\r?\n)[^\r\n][^\n]*\n/

export type ConnectionParts = {
  readonly serve: Serve
  readonly keepAliveSeconds: number
  /** Ticks, a second each, for which a connection may be idle. */
  readonly maxIdleTicks: number
  /** For how long the rest of a request is waited for before the connection is node's. */
  readonly maxAwaitedMs: number
  /** Makes the connection one of node's. */
  readonly adopt: (socket: Socket) => void
  /** Answers what is no HTTP, as for node's connections. */
  readonly refuse: (error: Error, socket: Socket) => void
  /** It is the front door's no more: it is closed, or node's. */
  readonly onGone: (connection: Connection) => void
}

/** A connection as long as all that comes over it is surely in order, and every request whole. */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #socket: Socket
  /** The answer that is going out, and those that wait behind it. */
  #answer: Answer | null = null
  #waiting: Answer[] = []
  /** What has arrived and is not served yet. */
  #held: Buffer | null = null
  #awaiting: NodeJS.Timeout | null = null
  #hasSpoken = false
  #idleTicks = 0

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket
    this.#parts = parts
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
    socket.on('end', this.#onEnd)
    socket.on('drain', this.#onDrain)
    socket.on('data', this.#onData)
  }

  /** A second has passed. */
  tick(): void {
    if (this.#answer !== null || this.#held !== null) return
    this.#idleTicks++
    if (!this.#hasSpoken && this.#idleTicks > MAX_SILENT_TICKS) this.#handOver()
    else if (this.#idleTicks > this.#parts.maxIdleTicks) this.#socket.destroy()
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#hasSpoken = true
    this.#held = this.#held === null ? bytes : Buffer.concat([this.#held, bytes])
    this.#goOn()
  }

  /** The client's half of the connection is closed, and with it the whole: what is not answered is given up. */
  readonly #onEnd = (): void => {
    if (this.#awaiting !== null) {
      this.#breakOff(new Error('The request ended before its body was whole'))
      return
    }
    if (this.#answer?.writableEnded === false) this.#answer.abandon()
    for (const answer of this.#waiting.splice(0)) answer.abandon()
    this.#held = null
    this.#socket.end()
  }

  readonly #onDrain = (): void => this.#answer?.drained()

  /** A connection that fails is closed as well. */
  readonly #onError = (): void => {}

  readonly #onClose = (): void => {
    this.#leave()
    this.#abandonAll()
  }

  /** Serves what has arrived, as far as it is whole. That a connection is cut is told a moment after an answer is over by it. */
  readonly #goOn = (): void => {
    while (this.#held !== null && !this.#socket.destroyed && this.#serveFirst(this.#held));
  }

  /** Serves the request that these bytes begin with; by false says that it has to wait, or is not ours. */
  #serveFirst(bytes: Buffer): boolean {
    const head = glanceAtHead(bytes)
    const endsAt = head === null ? Number.POSITIVE_INFINITY : head.bodyStart + head.bodyBytes
    const isWhole = endsAt <= bytes.length
    if (head === null || !(isWhole || endsAt <= MAX_AWAITED_BYTES)) this.#leaveToNode(bytes)
    else if (!isWhole) this.#await()
    else if (this.#waiting.length >= MAX_AT_ONCE) this.#holdBack(bytes)
    else if (this.#serve(head, bytes.subarray(head.bodyStart, endsAt))) {
      this.#stopAwaiting()
      // An answer that is out already may have closed the connection.
      this.#held = this.#held !== null && endsAt < bytes.length ? bytes.subarray(endsAt) : null
      return true
    } else this.#leaveToNode(bytes)
    return false
  }

  #serve(head: GlancedHead, body: Buffer): boolean {
    const request = new Request(head, body)
    const { keepAliveSeconds } = this.#parts
    const parts: AnswerParts = { socket: this.#socket, request, keepAliveSeconds, onOver: this.#answered }
    const isNext = this.#answer === null
    const answer = new Answer(parts, isNext)
    if (isNext) this.#answer = answer
    else this.#waiting.push(answer)
    if (this.#parts.serve(request, answer)) return true
    if (isNext) this.#answer = null
    else this.#waiting.pop()
    return false
  }

  /** Waits for the rest of a body, which clients often send in a packet of its own. */
  #await(): void {
    this.#awaiting ??= setTimeout(() => {
      this.#awaiting = null
      if (this.#held !== null) this.#leaveToNode(this.#held)
    }, this.#parts.maxAwaitedMs)
  }

  #stopAwaiting(): void {
    if (this.#awaiting === null) return
    clearTimeout(this.#awaiting)
    this.#awaiting = null
  }

  /** What is not for the front door is node's: at once, or when all answers are out. */
  #leaveToNode(bytes: Buffer): void {
    if (this.#answer === null) this.#handOver()
    else if (NO_REQUEST_LINE.test(bytes.toString('latin1', 0, MAX_HELD_BYTES))) {
      this.#breakOff(new Error('What follows a request is none'))
    } else this.#holdBack(bytes)
  }

  #holdBack(bytes: Buffer): void {
    if (bytes.length > MAX_HELD_BYTES) this.#socket.pause()
  }

  readonly #answered = (answer: Answer): void => {
    if (!answer.shouldKeepAlive) {
      // What still comes is read and thrown away: a connection that is closed with bytes unread is reset.
      this.#socket.off('data', this.#onData)
      this.#held = null
      this.#socket.destroySoon()
      return
    }
    this.#answer = this.#waiting.shift() ?? null
    this.#idleTicks = 0
    this.#answer?.begin()
    if (this.#held === null) return
    if (this.#socket.isPaused()) this.#socket.resume()
    process.nextTick(this.#goOn)
  }

  /** What comes is no HTTP: whatever is being answered is given up, and nothing is put into an answer that has begun. */
  #breakOff(error: Error): void {
    this.#leave()
    this.#socket.on('error', this.#onError)
    if (this.#answer?.headersSent) this.#socket.destroy()
    else this.#parts.refuse(error, this.#socket)
    this.#abandonAll()
  }

  #abandonAll(): void {
    this.#answer?.abandon()
    for (const answer of this.#waiting) answer.abandon()
  }

  /** Makes the connection node's, with what has arrived and is not served. */
  #handOver(): void {
    const socket = this.#socket
    const bytes = this.#held
    this.#leave()
    socket.pause()
    if (bytes !== null) socket.unshift(bytes)
    this.#parts.adopt(socket)
    socket.resume()
  }

  #leave(): void {
    this.#stopAwaiting()
    this.#held = null
    const socket = this.#socket
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    socket.off('end', this.#onEnd)
    socket.off('drain', this.#onDrain)
    socket.off('data', this.#onData)
    this.#parts.onGone(this)
  }
}
