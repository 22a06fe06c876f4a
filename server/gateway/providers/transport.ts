import type { ProviderTimeouts } from '#contract/catalog.ts'
import type { Piece } from '#lib/pieces.ts'

/** A POST to an upstream, ready to be sent. */
export type TransportRequest = {
  /** Scheme, host and port. */
  readonly origin: string
  readonly path: string
  /** Names and values in turns. A list that is handed in again and again is checked and written out only once. */
  readonly headers: readonly string[]
  /** More of them, that belong to this request alone. */
  readonly ownHeaders?: readonly string[]
  readonly requestId: string
  /** In pieces, so that a big one is never copied. */
  readonly body: readonly Piece[]
  readonly timeouts: ProviderTimeouts
}

export type TransportError = {
  /** `timeout`: the upstream was too slow to connect, to begin or to go on. `failed`: all else. */
  readonly kind: 'timeout' | 'failed'
  /** For the log; never shown to a caller. */
  readonly detail: string
}

/** Told what comes back; `ended` or `failed` is called exactly once, unless the request was aborted. */
export type TransportHandler = {
  headers(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void
  data(bytes: Buffer): void
  ended(): void
  failed(error: TransportError): void
}

export type TransportControl = {
  pause(): void
  resume(): void
  /** Breaks the exchange off, closing the upstream connection. Nothing is told to the handler after it. */
  abort(): void
}

/** Carries requests to upstreams: over HTTP, or within the process for the demonstration upstream. */
export type Transport = {
  send(request: TransportRequest, handler: TransportHandler): TransportControl
  close(): Promise<void>
}
