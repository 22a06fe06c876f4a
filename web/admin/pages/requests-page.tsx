import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type RequestQuery, requestsQuery } from '#web/api/admin/requests.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { RequestFilters } from '../requests/request-filters.tsx'
import { readRequestQuery } from '../requests/request-search.ts'
import { RequestTable } from '../requests/request-table.tsx'

const route = getRouteApi('/signed-in/requests/')

export function RequestsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = readRequestQuery(search)
  return (
    <>
      <PageHeader title="Requests">
        Every request of every account: why it failed, and what it cost. What was said in it is kept nowhere.
      </PageHeader>
      <RequestFilters
        search={search}
        onChange={next =>
          void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false })
        }
      />
      {/* Other filters make another list, which begins with its first page. */}
      <RequestList key={JSON.stringify(query)} query={query} />
    </>
  )
}

function RequestList({ query }: { readonly query: RequestQuery }) {
  const pages = useCursorPages()
  const requests = useQuery({
    ...requestsQuery({ ...query, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  const isNarrow = Object.keys(query).length > 0
  return (
    <ListPage
      what="requests"
      query={requests}
      pages={pages}
      empty={
        isNarrow ? (
          <EmptyState title="No request fits">
            It may still be running, or be older than single requests are kept.
          </EmptyState>
        ) : (
          <EmptyState title="No requests yet">
            The first one is listed here a moment after it ends.
          </EmptyState>
        )
      }
    >
      {rows => <RequestTable requests={rows} />}
    </ListPage>
  )
}
