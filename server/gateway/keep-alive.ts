/** Looks at a stream so many times within the silence that it may keep; few enough to cost nothing. */
const LOOKS = 3

/** Proxies and clients commonly give up on a connection that was silent for 30 or 60 seconds. */
const SILENCE_MS = 15_000

/**
 * Says something on streams that stay silent, such as those of models that think for long, so that nobody on the way takes
 * them for dead. One timer for all streams: a piece that passes costs one assignment.
 */
export class KeepAlive {
  readonly #silenceMs: number
  readonly #streams = new Set<WatchedStream>()
  #timer: NodeJS.Timeout | null = null
  #look = 0

  /** No stream is silent for longer than this. */
  constructor(silenceMs = SILENCE_MS) {
    this.#silenceMs = silenceMs
  }

  /** Calls `speak` whenever the stream has been silent for long, until it is told that it is over. */
  watch(speak: () => void): WatchedStream {
    const stream: WatchedStream = {
      lastLook: this.#look,
      speak,
      heard: () => {
        stream.lastLook = this.#look
      },
      over: () => {
        this.#streams.delete(stream)
        if (this.#streams.size === 0) this.#stop()
      },
    }
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => this.#lookAtAll(), this.#silenceMs / LOOKS).unref()
    return stream
  }

  #lookAtAll(): void {
    this.#look++
    for (const stream of this.#streams) {
      if (this.#look - stream.lastLook < LOOKS) continue
      stream.heard()
      stream.speak()
    }
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }
}

export type WatchedStream = {
  lastLook: number
  readonly speak: () => void
  /** Something went out. */
  heard(): void
  over(): void
}
