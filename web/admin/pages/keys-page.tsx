import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { keysQuery } from '#web/api/admin/keys.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { KeyTable } from '../keys/key-table.tsx'
import { useSearchedPages } from '../layout/use-searched-pages.ts'

const route = getRouteApi('/signed-in/keys')

export function KeysPage() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const { pages, search } = useSearchedPages(next => void navigate({ search: { q: next }, replace: true }))
  const keys = useQuery({
    ...keysQuery({ search: q, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader title="Keys">
        Every key of every customer. New ones are made on the page of an account.
      </PageHeader>
      <SearchField label="Search keys" placeholder="Name, hint or id" value={q} onSearch={search} />
      <ListPage
        what="keys"
        query={keys}
        pages={pages}
        empty={
          q === undefined ? (
            <EmptyState title="No keys yet">Users make them in the portal.</EmptyState>
          ) : (
            <EmptyState title="No key fits">Search for a part of its name, hint or id.</EmptyState>
          )
        }
      >
        {rows => <KeyTable keys={rows} showsAccount />}
      </ListPage>
    </>
  )
}
