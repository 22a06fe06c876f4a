import { Buffer } from 'node:buffer'
import { type Edit, inOrder, splicePieces } from './json-scan.ts'

/** A part of a body: bytes, or text whose characters are a byte each (Latin-1), so that its length is the same either way. */
export type Piece = Buffer | string

/** Up to this size a body is better off as text: that is cut, put together and sent faster, and copied once, on its way out. */
export const MAX_TEXT_BYTES = 16 * 1024

export function toBytes(piece: Piece): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
}

export function toLatin1(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.toString('latin1')
}

/** The body that the bytes and their edits come to; of a big one nothing is copied. Edits must not overlap. */
export function splice(bytes: Buffer, edits: readonly Edit[]): readonly Piece[] {
  if (bytes.length > MAX_TEXT_BYTES) return splicePieces(bytes, edits)
  const text = bytes.toString('latin1')
  let spliced = ''
  let at = 0
  for (const edit of inOrder(edits)) {
    spliced += text.slice(at, edit.start) + latin1OfText(edit.text)
    at = edit.end
  }
  return [spliced + text.slice(at)]
}

function latin1OfText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
}
