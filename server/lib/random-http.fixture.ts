/** What HTTP is made of, at random, and what accidents on the way make of it. */
import fc from 'fast-check'

const TOKEN_CHARS = [..."!#$%&'*+-.^_`|~0123456789ABCXYZabcxyz"]
const VALUE_CHARS = [...'\t !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\x80\xa0\xff']

export const token = fc.string({ unit: fc.constantFrom(...TOKEN_CHARS), minLength: 1, maxLength: 12 })
export const value = fc.string({ unit: fc.constantFrom(...VALUE_CHARS), maxLength: 30 })

/** Pieces that come to the same bytes; some are empty. */
export function piecesOf(whole: Buffer, maxCuts: number): fc.Arbitrary<Buffer[]> {
  return fc.array(fc.nat({ max: whole.length }), { maxLength: maxCuts }).map(places => {
    const cuts = [0, ...places.toSorted((a, b) => a - b), whole.length]
    return cuts.slice(1).map((end, at) => whole.subarray(cuts[at], end))
  })
}

/** What means something in requests and in answers. */
const INSERTED: readonly string[] = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  '\0',
  ':',
  ',',
  '0',
  '9',
  '-',
  'x',
  '\xff',
  'content-length: 3\r\n',
  'Content-Length:5\r\n',
  'transfer-encoding: chunked\r\n',
  'Transfer-Encoding: gzip\r\n',
  'connection: close\r\n',
  ' folded\r\n',
  'HTTP/1.0',
]

export type Accidents = {
  /** Where one happens. */
  readonly place: fc.Arbitrary<number>
  /** What may be put in beside what means something everywhere. */
  readonly alsoInserted: readonly string[]
  readonly most: number
}

/** The same bytes after a few accidents: some lost, others put where they do not belong. */
export function accidentsTo(whole: Buffer, { place, alsoInserted, most }: Accidents): fc.Arbitrary<Buffer> {
  const texts = fc.constantFrom(...INSERTED, ...alsoInserted)
  const accident = fc.record({
    at: place,
    removed: fc.constantFrom(0, 0, 0, 1, 2, 5),
    inserted: fc.oneof({ weight: 4, arbitrary: texts }, fc.constant('')),
  })
  return fc.array(accident, { minLength: 1, maxLength: most }).map(accidents => {
    let bytes = whole
    for (const { at, removed, inserted } of accidents) {
      const rest = bytes.subarray(at + removed)
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted, 'latin1'), rest])
    }
    return bytes
  })
}
