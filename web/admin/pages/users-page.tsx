import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { usersQuery } from '#web/api/admin/users.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { useSearchedPages } from '../layout/use-searched-pages.ts'
import { NewUserDialog } from '../people/new-user-dialog.tsx'
import { UserTable } from '../people/user-table.tsx'

const route = getRouteApi('/signed-in/users')

export function UsersPage() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const [making, setMaking] = useState(false)
  const { pages, search } = useSearchedPages(next => void navigate({ search: { q: next }, replace: true }))
  const users = useQuery({
    ...usersQuery({ search: q, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader
        title="Users"
        action={
          <ForOperators>
            <Button look="primary" onClick={() => setMaking(true)}>
              <Plus className="size-4" aria-hidden="true" />
              New user
            </Button>
          </ForOperators>
        }
      >
        Who signs in to the portal. Every user belongs to an account.
      </PageHeader>
      <SearchField
        label="Search users"
        placeholder="Name, e-mail address or id"
        value={q}
        onSearch={search}
      />
      <ListPage
        what="users"
        query={users}
        pages={pages}
        empty={
          q === undefined ? (
            <EmptyState title="No users yet">Whoever signs up is one, or you make one here.</EmptyState>
          ) : (
            <EmptyState title="No user fits">Search for a part of the name, e-mail address or id.</EmptyState>
          )
        }
      >
        {rows => <UserTable users={rows} showsAccount />}
      </ListPage>
      <NewUserDialog open={making} onOpenChange={setMaking} />
    </>
  )
}
