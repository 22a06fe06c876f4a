import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { keysQuery } from '#web/api/admin/keys.ts'
import { usersQuery } from '#web/api/admin/users.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { KeyTable } from '../keys/key-table.tsx'
import { NewKeyDialog } from '../keys/new-key-dialog.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { NewUserDialog } from '../people/new-user-dialog.tsx'
import { UserTable } from '../people/user-table.tsx'

type OfAccountProps = { readonly accountId: string }

/** The users who share an account's credits. */
export function AccountUsers({ accountId }: OfAccountProps) {
  const [making, setMaking] = useState(false)
  const pages = useCursorPages()
  const users = useQuery({
    ...usersQuery({ account_id: accountId, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <AddButton label="New user" onPress={() => setMaking(true)} />
      <ListPage what="users" query={users} pages={pages} empty={<EmptyState title="No users" />}>
        {rows => <UserTable users={rows} />}
      </ListPage>
      <NewUserDialog open={making} onOpenChange={setMaking} accountId={accountId} />
    </>
  )
}

/** The keys of all users of an account. */
export function AccountKeys({ accountId }: OfAccountProps) {
  const [making, setMaking] = useState(false)
  const pages = useCursorPages()
  const users = useQuery(usersQuery({ account_id: accountId, limit: 100 })).data?.data ?? []
  const keys = useQuery({
    ...keysQuery({ account_id: accountId, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  const active = users.filter(({ status }) => status === 'active')
  return (
    <>
      {active.length > 0 && <AddButton label="New key" onPress={() => setMaking(true)} />}
      <ListPage
        what="keys"
        query={keys}
        pages={pages}
        empty={
          <EmptyState title="No keys yet">Users make keys in the portal, or you make one here.</EmptyState>
        }
      >
        {rows => <KeyTable keys={rows} />}
      </ListPage>
      <NewKeyDialog users={active} open={making} onOpenChange={setMaking} />
    </>
  )
}

function AddButton({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  return (
    <ForOperators>
      <div className="mb-3 flex justify-end">
        <Button size="small" onClick={onPress}>
          <Plus className="size-4" aria-hidden="true" />
          {label}
        </Button>
      </div>
    </ForOperators>
  )
}
