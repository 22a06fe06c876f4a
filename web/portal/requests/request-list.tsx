import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allKeysQuery } from '#web/api/client/keys.ts'
import { type RequestQuery, requestsQuery } from '#web/api/client/requests.ts'
import { pollEvery } from '#web/api/poll.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { RequestTable } from './request-table.tsx'

/** The requests that fit, a page at a time. Its first page brings new ones by itself. */
export function RequestList({ query }: { readonly query: RequestQuery }) {
  const pages = useCursorPages()
  const keys = useQuery(allKeysQuery)
  const requests = useQuery({
    ...requestsQuery({ ...query, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
    ...(pages.cursor === undefined ? { refetchInterval: pollEvery(5_000) } : {}),
  })
  return (
    <ListPage
      what="requests"
      query={requests}
      pages={pages}
      failureTitle="Your requests could not be loaded"
      skeletonRows={8}
      empty={<NoRequests isNarrow={Object.keys(query).length > 0} />}
    >
      {rows => <RequestTable requests={rows} keys={keys.data?.data ?? []} />}
    </ListPage>
  )
}

function NoRequests({ isNarrow }: { readonly isNarrow: boolean }) {
  if (isNarrow) {
    return <EmptyState title="No request fits">Take a filter away, or choose other days.</EmptyState>
  }
  return (
    <EmptyState
      title="No requests yet"
      action={
        <Link to="/keys" className={buttonClasses({ look: 'primary' })}>
          To your keys
        </Link>
      }
    >
      Send one with a key of yours: it is listed here a moment later, with its receipt.
    </EmptyState>
  )
}
