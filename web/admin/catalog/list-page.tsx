import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Pagination } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import type { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { QueryFailure } from './query-failure.tsx'

export type ListPageProps<Row> = {
  /** What is listed, in lower case: 'providers'. */
  readonly what: string
  readonly query: UseQueryResult<{ readonly data: readonly Row[]; readonly next_cursor: string | null }>
  readonly pages: ReturnType<typeof useCursorPages>
  readonly empty: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** A list page by page in each of its states: on its way, failed, empty, there. */
export function ListPage<Row>({ what, query, pages, empty, children }: ListPageProps<Row>) {
  const rows = query.data?.data
  return (
    <>
      {query.isPending && <SkeletonRows rows={6} label={`Loading ${what}`} />}
      <QueryFailure query={query} title={`The ${what} could not be loaded`} />
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && children(rows)}
      {query.data && (
        <Pagination
          label={`Pages of ${what}`}
          hasNewer={pages.hasNewer}
          hasOlder={query.data.next_cursor !== null}
          onNewer={pages.newer}
          onOlder={() => query.data?.next_cursor && pages.older(query.data.next_cursor)}
          pending={query.isFetching}
        />
      )}
    </>
  )
}
