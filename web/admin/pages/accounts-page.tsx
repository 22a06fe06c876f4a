import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { accountsQuery } from '#web/api/admin/accounts.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { AccountTable } from '../accounts/account-table.tsx'
import { NewAccountDialog } from '../accounts/new-account-dialog.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { useSearchedPages } from '../layout/use-searched-pages.ts'

const route = getRouteApi('/signed-in/accounts/')

export function AccountsPage() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const [making, setMaking] = useState(false)
  const { pages, search } = useSearchedPages(next => void navigate({ search: { q: next }, replace: true }))
  const accounts = useQuery({
    ...accountsQuery({ search: q, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  const make = (
    <ForOperators>
      <Button look="primary" onClick={() => setMaking(true)}>
        <Plus className="size-4" aria-hidden="true" />
        New account
      </Button>
    </ForOperators>
  )
  return (
    <>
      <PageHeader title="Accounts" action={make}>
        Who holds credits. All keys of an account share its balance.
      </PageHeader>
      <SearchField
        label="Search accounts"
        placeholder="Name, owner, e-mail address or id"
        value={q}
        onSearch={search}
      />
      <ListPage
        what="accounts"
        query={accounts}
        pages={pages}
        empty={
          q === undefined ? (
            <EmptyState title="No accounts yet" action={make}>
              Whoever signs up gets one, or you make one here.
            </EmptyState>
          ) : (
            <EmptyState title="No account fits">Search for a part of its name, owner or id.</EmptyState>
          )
        }
      >
        {rows => <AccountTable accounts={rows} />}
      </ListPage>
      <NewAccountDialog
        open={making}
        onOpenChange={setMaking}
        onMade={({ id }) => void navigate({ to: '/accounts/$accountId', params: { accountId: id } })}
      />
    </>
  )
}
