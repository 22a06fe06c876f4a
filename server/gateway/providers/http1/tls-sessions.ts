const MAX_SESSIONS = 200

/** The latest TLS session of each origin: a connection that resumes one saves the costly half of its handshake. */
export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>()

  find(origin: string): Buffer | undefined {
    return this.#sessions.get(origin)
  }

  keep(origin: string, session: Buffer): void {
    this.#sessions.delete(origin)
    this.#sessions.set(origin, session)
    if (this.#sessions.size <= MAX_SESSIONS) return
    const oldest = this.#sessions.keys().next().value
    if (oldest !== undefined) this.#sessions.delete(oldest)
  }

  forget(origin: string): void {
    this.#sessions.delete(origin)
  }
}
