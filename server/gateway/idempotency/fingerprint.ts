import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { GenerationRequest } from '#gateway/generation-request.ts'
import { boundaryOf } from '#lib/form-data.ts'

/** How much is hashed at a time: big bodies let others have their turn in between. */
const PIECE_BYTES = 512 * 1024

type Asked = Pick<GenerationRequest, 'endpoint' | 'bytes' | 'contentType'>

/** What was asked, as a hash: equal for requests whose endpoints and bodies are. */
export async function fingerprintOf({ endpoint, bytes, contentType }: Asked): Promise<string> {
  const hash = createHash('sha256').update(`${endpoint}\n`)
  const boundary = contentType === null ? null : boundaryOf(contentType)
  if (boundary === null) await add(hash, bytes)
  else await addForm(hash, bytes, boundary)
  return hash.digest('hex')
}

async function add(hash: Hash, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (start > 0) await setImmediate()
    hash.update(bytes.subarray(start, start + PIECE_BYTES))
  }
}

/** All but the boundary, in whose place stand the lengths of what it parts. */
async function addForm(hash: Hash, bytes: Buffer, boundary: string): Promise<void> {
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(boundary, start, 'latin1')
    const end = found === -1 ? bytes.length : found
    hash.update(`${end - start}\n`)
    await add(hash, bytes.subarray(start, end))
    start = end + boundary.length
  }
}
