import type { AttemptFailure, AttemptOutcome, StreamReading } from './provider.ts'

/** How the answer to one call is read: by the protocol that its upstream speaks. */
export type AnswerProtocol = {
  /** A reader for an answer that is passed on while it comes; null where one of that content type is read whole. */
  createStreamReader(contentType: string): StreamReader | null
  /** Reads a whole answer that came under a status of success. */
  readReply(bytes: Buffer, contentType: string): WholeAnswer | Promise<WholeAnswer>
}

export type WholeAnswer = Exclude<AttemptOutcome, { readonly kind: 'stream' }>

/**
 * Reads a stream as it passes. From the event that completes the answer on, its bytes are held back: a client that
 * holds a complete answer must find it on the ledger.
 */
export type StreamReader = StreamReading & {
  /** Whether the first event is there and was no error. */
  readonly hasBegun: boolean
  /** Whether all that makes the answer complete has come. */
  readonly isComplete: boolean
  /** Whether nothing more is worth waiting for. */
  readonly isDone: boolean
  readonly failure: AttemptFailure | null
  /** Takes in a piece of the stream. */
  push(bytes: Buffer): void
  /** The bytes that may go to the client now. */
  takeOutput(): Buffer
  /**
   * The upstream's connection has ended, well or badly. Returns the bytes that were held back when the answer is
   * complete, null when it broke off.
   */
  end(hasEndedWell: boolean): Buffer | null
}
