import type { Socket } from 'node:net'
import type { ClientResponse } from '#server/http/client-exchange.ts'

/** Whose request a connection carries, or carried last. */
type Watch = { departure: Departure }

/** Connections are watched once, however many requests they carry. */
const watches = new WeakMap<Socket, Watch>()

function watch(socket: Socket, departure: Departure): void {
  const known = watches.get(socket)
  if (known) {
    known.departure = departure
    return
  }
  const begun = { departure }
  watches.set(socket, begun)
  socket.on('end', () => begun.departure.noteClose())
}

/** The moment a client goes away before its answer was complete. Framework signals fire too early for requests with a body. */
export class Departure {
  #left = false
  #listener: (() => void) | null = null

  readonly #response: ClientResponse

  constructor(response: ClientResponse) {
    this.#response = response
    response.on('close', () => this.noteClose())
    // A client that closes its half while our bytes are still queued shows here first.
    const { socket } = response
    if (socket) watch(socket, this)
  }

  get left(): boolean {
    return this.#left
  }

  /** Calls the listener when the client leaves, at once if it has left. There is one listener at a time. */
  onLeave(listener: (() => void) | null): void {
    this.#listener = listener
    if (this.#left) listener?.()
  }

  /** The connection is closed, or its client's half of it: whoever has all of the answer has not left. */
  noteClose(): void {
    if (!this.#response.writableEnded) this.#leave()
  }

  /** Treats the client as gone, as when it reads nothing for too long. */
  giveUp(): void {
    this.#leave()
  }

  #leave(): void {
    if (this.#left) return
    this.#left = true
    this.#listener?.()
  }
}
