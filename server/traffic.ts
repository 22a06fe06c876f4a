import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is on its way to clients: ending the service may cut none of it off. */
export class Traffic {
  readonly #sockets = new Set<Socket>()
  #answering = 0

  /** Watches the connections of a server; costs nothing a request. */
  watch(server: Server): void {
    server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Counts an answer until it is out, or its connection gone. */
  count(response: ServerResponse): void {
    this.#answering++
    response.once('close', () => {
      this.#answering--
    })
  }

  /** Cuts off whoever is still connected. */
  cutOff(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Whether a counted answer is being made, or bytes of any answer wait for their client to read. */
  isUnderWay(): boolean {
    return this.#answering > 0 || this.#sockets.values().some(socket => socket.writableLength > 0)
  }
}
