import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { keysQuery, liveUseQuery } from '#web/api/client/keys.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { KeyTable } from '../keys/key-table.tsx'
import { NewKeyDialog } from '../keys/new-key-dialog.tsx'

export function KeysPage() {
  const [making, setMaking] = useState(false)
  const pages = useCursorPages()
  const keys = useQuery({ ...keysQuery({ cursor: pages.cursor }), placeholderData: keepPreviousData })
  const live = useQuery(liveUseQuery)
  const makeKey = (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Plus className="size-4" aria-hidden="true" />
      New key
    </Button>
  )
  return (
    <>
      <PageHeader title="Keys" action={makeKey}>
        A key lets one program call the API on your account. Give each program a key of its own.
      </PageHeader>
      <ListPage
        what="keys"
        query={keys}
        pages={pages}
        failureTitle="Your keys could not be loaded"
        skeletonRows={4}
        empty={
          <EmptyState title="No keys yet" action={makeKey}>
            Make one, and copy the request that comes with it.
          </EmptyState>
        }
      >
        {rows => <KeyTable keys={rows} live={live.data?.data ?? []} />}
      </ListPage>
      <NewKeyDialog open={making} onOpenChange={setMaking} onCreated={pages.reset} />
    </>
  )
}
