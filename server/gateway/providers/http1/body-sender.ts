import type { Socket } from 'node:net'
import { MAX_TEXT_BYTES, type Piece, toBytes, toLatin1 } from '#lib/pieces.ts'

/** Up to this size a head and a body are joined first, so that they leave in one call. */
const JOINED_BYTES = 128 * 1024
/** A bigger body is handed over in slices, the next when the last has left: encrypting it all at once takes long. */
const SLICE_BYTES = 256 * 1024

/** Sends requests over one connection, one after the other. */
export class BodySender {
  readonly #socket: Socket
  #pieces: readonly Buffer[] = []
  #piece = 0
  #offset = 0

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('drain', () => this.#sendSlices())
  }

  /** Whether all of the request has been handed to the operating system. */
  get isDone(): boolean {
    return this.#piece >= this.#pieces.length && this.#socket.writableLength === 0
  }

  /** Sends a head, one byte a character, and the body that belongs to it. */
  send(head: string, body: readonly Piece[], bodyBytes: number): void {
    if (head.length + bodyBytes <= MAX_TEXT_BYTES) {
      let text = head
      // As Latin-1 every byte is a character.
      for (const piece of body) text += toLatin1(piece)
      this.#socket.write(text, 'latin1')
    } else if (bodyBytes <= JOINED_BYTES) {
      this.#socket.write(Buffer.concat([Buffer.from(head, 'latin1'), ...body.map(toBytes)]))
    } else {
      this.#pieces = body.map(toBytes)
      this.#piece = 0
      this.#offset = 0
      this.#socket.write(head, 'latin1')
      this.#sendSlices()
    }
  }

  /** Hands over slices until one has to wait; `drain` goes on. */
  #sendSlices(): void {
    for (;;) {
      const piece = this.#pieces[this.#piece]
      if (piece === undefined) break
      const slice = piece.subarray(this.#offset, this.#offset + SLICE_BYTES)
      this.#offset += slice.length
      if (this.#offset >= piece.length) {
        this.#piece++
        this.#offset = 0
      }
      if (slice.length > 0 && !this.#socket.write(slice)) return
    }
    // What was sent is not ours to hold any longer.
    this.#pieces = []
    this.#piece = 0
  }
}
