import { ExchangeFailed, FetchedExchange, type FetchedExchangeParts } from './fetched-exchange.ts'
import type { AttemptFailure } from './provider.ts'

/**
 * The exchanges that one call of a package makes, one after the other: nearly always one, but some upstreams answer at
 * length in several turns. Nothing but the call itself is ever fetched: no pictures, no tokens.
 */
export class ExchangeSeries {
  readonly #parts: FetchedExchangeParts
  #current: FetchedExchange | null = null
  #wasSent = false
  #isAborted = false

  constructor(parts: FetchedExchangeParts) {
    this.#parts = parts
  }

  /** What went wrong on the wire; null while nothing did. */
  get failure(): AttemptFailure | null {
    return this.#current?.failure ?? null
  }

  /** Whether anything went out: before that, nothing that goes wrong is the upstream's doing. */
  get wasSent(): boolean {
    return this.#wasSent || this.#current?.wasSent === true
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    if (this.#isAborted) throw new ExchangeFailed('broken off before it was sent')
    if (init?.method !== 'POST') throw new Error('Only calls are made, and nothing else is fetched')
    this.#wasSent = this.wasSent
    this.#current = new FetchedExchange(this.#parts)
    return this.#current.fetch(input, init)
  }

  abort(): void {
    this.#isAborted = true
    this.#current?.abort()
  }

  letGo(): void {
    this.#current?.letGo()
  }
}
