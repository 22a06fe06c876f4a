import { randomBytes } from 'node:crypto'
import { splicePieces } from '#lib/json-scan.ts'
import { SMALL_BYTES } from '#lib/shared-bytes.ts'

/** Shorter strings cost less to read than to look for. */
const MIN_LIFTED_BYTES = 16 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const DATA_URL = Buffer.from('data:')
/** Media that are handed on as they are. Texts in data URLs are not: some packages decode them. */
const OPAQUE_MEDIA = /^data:(image|audio|video)\/|^data:application\/pdf[;,]/
const MAX_DATA_URL_PREFIX = 200
/** Nobody outside this process can write a stand-in. */
const MARK = `lifted-${randomBytes(16).toString('hex')}-`
const INDEX_DIGITS = 6

/** A body whose big strings have stand-ins, and what puts them back into another body that holds the stand-ins. */
export type LiftedBody = {
  readonly json: string
  completeBody(body: Buffer): readonly Buffer[]
}

const nothingLifted = (body: Buffer): readonly Buffer[] => [body]

/** The body as it is. */
export function unliftedBody(bytes: Buffer): LiftedBody {
  return { json: bytes.toString('utf8'), completeBody: nothingLifted }
}

/**
 * Takes the big strings out of a big body, so that pictures are neither parsed nor written again: their bytes go from the
 * caller's body to the upstream's as they stand. Only strings without a backslash are taken, since their bytes are the
 * same within any JSON string, however deep. The bytes must be valid JSON.
 */
export function liftStrings(bytes: Buffer): LiftedBody {
  if (bytes.length <= SMALL_BYTES) return unliftedBody(bytes)
  const lifted: Buffer[] = []
  const edits = bigStrings(bytes).map(({ start, end }) => {
    const text = MARK + String(lifted.length).padStart(INDEX_DIGITS, '0')
    lifted.push(bytes.subarray(start, end))
    return { start, end, text }
  })
  if (lifted.length === 0) return unliftedBody(bytes)
  return {
    json: Buffer.concat(splicePieces(bytes, edits)).toString('utf8'),
    completeBody: body => putBack(body, lifted),
  }
}

type Place = { readonly start: number; readonly end: number }

function bigStrings(bytes: Buffer): Place[] {
  const places: Place[] = []
  let backslash = indexOrEnd(bytes, BACKSLASH, 0)
  for (let open = bytes.indexOf(QUOTE); open !== -1; ) {
    const start = open + 1
    let close = indexOrEnd(bytes, QUOTE, start)
    let isPlain = true
    if (backslash < start) backslash = indexOrEnd(bytes, BACKSLASH, start)
    while (backslash < close) {
      isPlain = false
      // The byte after a backslash is no end, whatever it is.
      close = indexOrEnd(bytes, QUOTE, Math.max(close, backslash + 2))
      backslash = indexOrEnd(bytes, BACKSLASH, backslash + 2)
    }
    const from = isPlain && close - start >= MIN_LIFTED_BYTES ? liftedFrom(bytes, start, close) : null
    if (from !== null) places.push({ start: from, end: close })
    open = bytes.indexOf(QUOTE, close + 1)
  }
  return places
}

/** Where the lifted part of a string begins; null for one that must stay. */
function liftedFrom(bytes: Buffer, start: number, end: number): number | null {
  if (!bytes.subarray(start, start + DATA_URL.length).equals(DATA_URL)) return start
  const comma = bytes.indexOf(COMMA, start)
  if (comma === -1 || comma > Math.min(end, start + MAX_DATA_URL_PREFIX)) return null
  return OPAQUE_MEDIA.test(bytes.toString('latin1', start, comma + 1)) ? comma + 1 : null
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index === -1 ? bytes.length : index
}

function putBack(body: Buffer, lifted: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (let mark = body.indexOf(MARK); mark !== -1; mark = body.indexOf(MARK, at)) {
    const index = mark + MARK.length
    const original = lifted[Number(body.toString('latin1', index, index + INDEX_DIGITS))]
    if (!original) throw new Error('A stand-in for nothing')
    pieces.push(body.subarray(at, mark), original)
    at = index + INDEX_DIGITS
  }
  pieces.push(body.subarray(at))
  return pieces
}
