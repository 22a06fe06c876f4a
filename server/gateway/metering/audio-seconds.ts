import { MOST_UNITS } from '#domains/billing/unit-weights.ts'
import type { CountedUnits } from '#gateway/generation-request.ts'

/** What MP3 files of speech and music commonly have, 128 kbit/s; most other formats take less for a second. */
const COMMON_BYTES_A_SECOND = 16_000

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const BYTES_A_SECOND_AT = 8
const MAX_CHUNKS = 64

/**
 * How long an audio file plays, in whole seconds, rounded up as upstreams do: what a WAV file says of itself, else what
 * its size comes to.
 */
export function audioSeconds(file: Buffer): CountedUnits {
  const seconds = wavSeconds(file) ?? file.length / COMMON_BYTES_A_SECOND
  return { count: Math.min(MOST_UNITS, Math.max(1, Math.ceil(seconds))), isExact: false }
}

/** RIFF WAVE, by Microsoft's description of it (1991): its `fmt ` chunk tells the bytes a second, its `data` chunk is they. */
function wavSeconds(file: Buffer): number | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return null
  let bytesASecond = 0
  let at = RIFF_HEADER_BYTES
  for (let chunk = 0; chunk < MAX_CHUNKS && at + CHUNK_HEADER_BYTES <= file.length; chunk++) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    const start = at + CHUNK_HEADER_BYTES
    if (name === 'fmt ' && start + BYTES_A_SECOND_AT + 4 <= file.length) {
      bytesASecond = file.readUInt32LE(start + BYTES_A_SECOND_AT)
    }
    if (name === 'data') {
      // Encoders that write while they record leave the length open: what is there is what counts.
      const audioBytes = Math.min(length, file.length - start)
      return bytesASecond > 0 ? audioBytes / bytesASecond : null
    }
    // Chunks lie at even places.
    at = start + length + (length % 2)
  }
  return null
}
