import { crc32 } from 'node:zlib'
import type { Posting } from '../storage.ts'

/** A posting that stands by itself: it has a request, by whose id it is made once, and no statements beside it. */
export type DeferrablePosting = Pick<Posting, 'accountId' | 'request' | 'entry'>

/** One line: a checksum, and the posting as JSON with its amounts as texts. */
export function toLine({ accountId, request, entry }: DeferrablePosting): string {
  const json = JSON.stringify({ accountId, request, entry }, (_name, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  return `${checksumOf(json)} ${json}\n`
}

/** The posting of a line without its end; null when the line is not as it was written. */
export function fromLine(line: string): DeferrablePosting | null {
  const space = line.indexOf(' ')
  const json = line.slice(space + 1)
  if (space === -1 || line.slice(0, space) !== checksumOf(json)) return null
  // The checksum fits, so this is what `toLine` has written; as in the store, names tell which integers are amounts.
  return JSON.parse(json, (name, value) =>
    name.endsWith('_micros') && typeof value === 'string' ? BigInt(value) : value,
  ) as DeferrablePosting
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
