import { refusals } from '#contract/errors.ts'
import type { AttemptFailure } from './provider.ts'
import type { Transport, TransportRequest } from './transport.ts'
import { fromTransportError } from './upstream-error.ts'

const MAX_BYTES = 4 * 1024 * 1024

export type CollectedAnswer = { readonly status: number; readonly body: Buffer }

/** The exchange came to nothing. `isTooSlow`: it was silent for too long. */
export class NoAnswer extends Error {
  readonly isTooSlow: boolean

  constructor(detail: string, isTooSlow = false) {
    super(detail)
    this.isTooSlow = isTooSlow
  }
}

/** What it means for the attempt that needed the answer. */
export function fromNoAnswer({ message, isTooSlow }: NoAnswer): AttemptFailure {
  const error = isTooSlow ? refusals.upstreamTimedOut() : refusals.upstreamFailed()
  return { error, tryElsewhere: true, detail: message }
}

/** Sends a request and reads a short answer whole. Throws `NoAnswer`. */
export function collectAnswer(transport: Transport, request: TransportRequest): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let status = 0
    let bytes = 0
    const control = transport.send(request, {
      headers: given => {
        status = given
      },
      data: piece => {
        pieces.push(piece)
        bytes += piece.length
        if (bytes <= MAX_BYTES) return
        control.abort()
        reject(new NoAnswer('an answer that is far too long'))
      },
      ended: () => resolve({ status, body: Buffer.concat(pieces, bytes) }),
      failed: error => reject(new NoAnswer(fromTransportError(error).detail, error.kind === 'timeout')),
    })
  })
}
