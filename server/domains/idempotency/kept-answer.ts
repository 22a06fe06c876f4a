import { setImmediate } from 'node:timers/promises'
import type { Cipher } from '#lib/cipher.ts'
import { type Piece, toBytes } from '#lib/pieces.ts'

/** An answer that can be given again. Only complete ones are kept, so its status was 200. */
export type KeptAnswer = {
  /** Its body, in the pieces in which it came about. */
  readonly pieces: readonly Piece[]
  /** JSON unless it says otherwise. */
  readonly contentType?: string | undefined
  /** What the caller was told beside it. */
  readonly warnings?: readonly string[]
}

type Head = Omit<KeptAnswer, 'pieces'>

/** How much is encrypted at a time: big answers let others have their turn in between. */
const PIECE_BYTES = 256 * 1024

/** The answer encrypted, in pieces that open for this request, in their order and all together alone. */
export async function sealAnswer(
  { pieces, contentType, warnings }: KeptAnswer,
  requestId: string,
  cipher: Cipher,
): Promise<string> {
  const head: Head = { contentType, warnings }
  const body = Buffer.concat(pieces.map(toBytes))
  const count = Math.ceil(body.length / PIECE_BYTES) + 1
  const sealed = [cipher.seal(JSON.stringify(head), binding(requestId, 0, count))]
  for (let index = 1; index < count; index++) {
    if (index > 1) await setImmediate()
    const end = Math.min(index * PIECE_BYTES, body.length)
    // As Latin-1 every byte is a character: whatever it is comes back as it was.
    const piece = body.toString('latin1', (index - 1) * PIECE_BYTES, end)
    sealed.push(cipher.seal(piece, binding(requestId, index, count)))
  }
  return sealed.join(' ')
}

/** The answer again; null when it does not open, as with another secret. */
export async function openAnswer(
  ciphertext: string,
  requestId: string,
  cipher: Cipher,
): Promise<KeptAnswer | null> {
  const sealed = ciphertext.split(' ')
  const opened: string[] = []
  for (const [index, piece] of sealed.entries()) {
    if (index > 1) await setImmediate()
    const text = cipher.open(piece, binding(requestId, index, sealed.length))
    if (text === null) return null
    opened.push(text)
  }
  const [head = '', ...body] = opened
  // Sealed and unaltered, so it is what `sealAnswer` wrote.
  const { contentType, warnings } = JSON.parse(head) as Head
  return { contentType, warnings, pieces: body.map(text => Buffer.from(text, 'latin1')) }
}

function binding(requestId: string, index: number, count: number) {
  return { purpose: 'idempotent answer', id: `${requestId} ${index}/${count}` }
}
