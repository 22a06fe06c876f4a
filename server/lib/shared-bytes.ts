import { Buffer } from 'node:buffer'

/**
 * Bytes that a worker thread can read without a copy. Up to this size a copy, or the work itself, is cheap enough for
 * the event loop; beyond it other requests would feel it.
 */
export const SMALL_BYTES = 128 * 1024

/** Room for bytes: shared between threads when there are many of them. */
export function allocateBytes(length: number): Buffer {
  return length <= SMALL_BYTES ? Buffer.allocUnsafe(length) : Buffer.from(new SharedArrayBuffer(length))
}

/** Joins pieces into one run of bytes, shared between threads when it is big. */
export function joinBytes(pieces: readonly Buffer[], totalBytes: number): Buffer {
  const [only] = pieces
  if (pieces.length === 1 && only && totalBytes <= SMALL_BYTES) return only
  const joined = allocateBytes(totalBytes)
  let at = 0
  for (const piece of pieces) {
    piece.copy(joined, at)
    at += piece.length
  }
  return joined
}
