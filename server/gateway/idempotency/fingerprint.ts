import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { GenerationRequest } from '#gateway/generation-request.ts'
import { boundaryOf, MAX_PARTS } from '#lib/form-data.ts'

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

/**
 * All but the boundary, in whose place stand the lengths of what it parts. What follows the most parts that a form may
 * have is hashed as it is: a short boundary can stand in it a million times.
 */
async function addForm(hash: Hash, bytes: Buffer, boundary: string): Promise<void> {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  let start = 0
  for (let part = 0; part <= MAX_PARTS; part++) {
    const end = bytes.indexOf(delimiter, start)
    if (end === -1) break
    hash.update(`${end - start}\n`)
    await add(hash, bytes.subarray(start, end))
    start = end + delimiter.length
  }
  hash.update(`${bytes.length - start}\n`)
  await add(hash, bytes.subarray(start))
}
