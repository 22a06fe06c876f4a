/** As long as a caller who is known by a hash is believed without a look into the store: longer would be no use. */
const KEEP_MS = 4_000
const MAX_HEADERS = 10_000

/**
 * The hashes of tokens that came a moment ago, by the header that each came in: to check and hash the token of a busy
 * client anew costs more than the rest of finding out who calls. Only what has led to a caller is kept, and for a few
 * seconds: much longer than that, no token is in memory.
 */
export class RecentTokens {
  readonly #hashes = new Map<string, string>()
  #isForgetting = false

  findHash(header: string): string | undefined {
    return this.#hashes.get(header)
  }

  keep(header: string, hash: string): void {
    if (this.#hashes.size >= MAX_HEADERS) this.#hashes.clear()
    this.#hashes.set(header, hash)
    if (this.#isForgetting) return
    this.#isForgetting = true
    setTimeout(() => {
      this.#isForgetting = false
      this.#hashes.clear()
    }, KEEP_MS).unref()
  }
}
