import type { ServerResponse } from 'node:http'

/** The moment a client goes away before its answer was complete. Framework signals fire too early for requests with a body. */
export class Departure {
  #left = false
  #listener: (() => void) | null = null

  constructor(response: ServerResponse) {
    const leave = () => {
      if (!response.writableEnded) this.#leave()
    }
    response.on('close', leave)
    // A client that closes its half while our bytes are still queued shows here first.
    const { socket } = response
    socket?.on('end', leave)
    // A finished response has let go of its socket, which may serve many more requests.
    response.on('finish', () => socket?.off('end', leave))
  }

  get left(): boolean {
    return this.#left
  }

  /** Calls the listener when the client leaves, at once if it has left. There is one listener at a time. */
  onLeave(listener: (() => void) | null): void {
    this.#listener = listener
    if (this.#left) listener?.()
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
