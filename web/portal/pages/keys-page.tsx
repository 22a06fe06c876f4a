import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { keysQuery, liveUseQuery } from '#web/api/client/keys.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
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
      {keys.isPending && <SkeletonRows rows={4} label="Loading keys" />}
      {keys.isError && (
        <ErrorState
          title="Your keys could not be loaded"
          requestId={keys.error.requestId}
          onRetry={() => void keys.refetch()}
          retrying={keys.isFetching}
        >
          {keys.error.message}
        </ErrorState>
      )}
      {keys.data?.data.length === 0 && (
        <EmptyState title="No keys yet" action={makeKey}>
          Make one, and copy the request that comes with it.
        </EmptyState>
      )}
      {keys.data && keys.data.data.length > 0 && (
        <KeyTable keys={keys.data.data} live={live.data?.data ?? []} />
      )}
      {keys.data && (
        <Pagination
          label="Pages of keys"
          hasNewer={pages.hasNewer}
          hasOlder={keys.data.next_cursor !== null}
          onNewer={pages.newer}
          onOlder={() => keys.data?.next_cursor && pages.older(keys.data.next_cursor)}
          pending={keys.isFetching}
        />
      )}
      <NewKeyDialog open={making} onOpenChange={setMaking} onCreated={pages.reset} />
    </>
  )
}
