/** What part of a list is wanted: `limit` items, those after the position `after`, or the newest ones when it is null. */
export type PageRequest = { readonly limit: number; readonly after: string | null }

/** One part of a list. `next` is the position of its last item, or null when nothing comes after it. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null }

/**
 * Makes a page of rows that were read in the list's order, one more than `limit` of them: the one too many is how we
 * know that there is a next page. A position names a row, not a count, so rows that arrive meanwhile shift nothing.
 */
export function takePage<Row>(
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => string,
): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? position(last) : null }
}

/** The same page with each of its items shown another way. */
export function mapPage<Item, Shown>(page: Page<Item>, show: (item: Item) => Shown): Page<Shown> {
  return { items: page.items.map(show), next: page.next }
}
