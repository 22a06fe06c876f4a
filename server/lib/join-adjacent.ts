const EMPTY = Buffer.alloc(0)

/** Joins pieces; those that lie side by side in memory are joined without copying. */
export function joinAdjacent(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  if (!first) return EMPTY
  if (pieces.length === 1) return first
  let end = first.byteOffset + first.length
  for (const piece of pieces.slice(1)) {
    if (piece.buffer !== first.buffer || piece.byteOffset !== end) return Buffer.concat(pieces)
    end += piece.length
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset)
}
