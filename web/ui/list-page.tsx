import type { ReactNode } from 'react'
import { Pagination } from './pagination.tsx'
import { QueryFailure, type QueryState } from './query-failure.tsx'
import { SkeletonRows } from './skeleton.tsx'
import type { useCursorPages } from './use-cursor-pages.ts'

export type ListPageProps<Row> = {
  /** What is listed, in lower case: 'providers'. */
  readonly what: string
  readonly query: QueryState & {
    readonly isPending: boolean
    /** Whether the page before is shown until this one is there. */
    readonly isPlaceholderData: boolean
    readonly data?: { readonly data: readonly Row[]; readonly next_cursor: string | null }
  }
  readonly pages: ReturnType<typeof useCursorPages>
  readonly empty: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
  /** What is said when it can not be loaded. */
  readonly failureTitle?: string
  /** How many rows are drawn while nothing is there yet. */
  readonly skeletonRows?: number
}

/** A list page by page in each of its states: on its way, failed, empty, there. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { what, query, pages, empty, children, skeletonRows = 6 } = props
  const { failureTitle = `The ${what} could not be loaded` } = props
  const rows = query.data?.data
  return (
    <>
      {query.isPending && <SkeletonRows rows={skeletonRows} label={`Loading ${what}`} />}
      <QueryFailure query={query} title={failureTitle} />
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && children(rows)}
      {query.data && (
        <Pagination
          label={`Pages of ${what}`}
          hasNewer={pages.hasNewer}
          hasOlder={query.data.next_cursor !== null}
          onNewer={pages.newer}
          onOlder={() => query.data?.next_cursor && pages.older(query.data.next_cursor)}
          pending={query.isPlaceholderData}
        />
      )}
    </>
  )
}
