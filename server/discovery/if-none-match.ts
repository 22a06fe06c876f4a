/** An entity tag, and whatever else stands in its place: RFC 9110, section 8.8.3. */
const TAG = /(?:W\/)?("[^"]*")/g

/**
 * Whether an `If-None-Match` header covers a tag: a list, or `*` for any. The comparison is the weak one, as RFC 9110,
 * section 13.1.2 asks: caches that compress a reply weaken its tag.
 */
export function coversTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  for (const [, tag] of header.matchAll(TAG)) if (tag === etag) return true
  return false
}
