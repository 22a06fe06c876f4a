import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { administratorsQuery } from '#web/api/admin/administrators.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { ForOwners } from '../layout/permissions.tsx'
import { NewAdministratorDialog } from '../people/administrator-dialogs.tsx'
import { AdministratorTable } from '../people/administrator-table.tsx'

export function AdministratorsPage() {
  const [making, setMaking] = useState(false)
  const pages = useCursorPages()
  const administrators = useQuery({
    ...administratorsQuery({ cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader
        title="Administrators"
        action={
          <ForOwners>
            <Button look="primary" onClick={() => setMaking(true)}>
              <Plus className="size-4" aria-hidden="true" />
              New administrator
            </Button>
          </ForOwners>
        }
      >
        Who operates the service. Owners decide about each other, and somebody owns it at all times.
      </PageHeader>
      <ListPage
        what="administrators"
        query={administrators}
        pages={pages}
        empty={<EmptyState title="No administrators" />}
      >
        {rows => <AdministratorTable administrators={rows} />}
      </ListPage>
      <NewAdministratorDialog open={making} onOpenChange={setMaking} />
    </>
  )
}
