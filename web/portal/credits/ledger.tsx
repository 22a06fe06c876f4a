import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ledgerEntriesQuery } from '#web/api/client/credits.ts'
import { SHOWN_CHOICES, SHOWN_ENTRIES } from '#web/ledger/shown-entries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { LedgerTable } from './ledger-table.tsx'

/** Every change of the balance, newest first. */
export function Ledger() {
  const [shown, setShown] = useState('all')
  const pages = useCursorPages()
  const entries = useQuery({
    ...ledgerEntriesQuery({ kinds: SHOWN_ENTRIES[shown]?.kinds, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <div className="mb-3 sm:w-56">
        <SelectField
          label="Entries shown"
          hideLabel
          choices={SHOWN_CHOICES}
          value={shown}
          onValueChange={next => {
            pages.reset()
            setShown(next)
          }}
        />
      </div>
      {entries.isPending && <SkeletonRows rows={5} label="Loading the ledger" />}
      {entries.isError && (
        <ErrorState
          title="The ledger could not be loaded"
          requestId={entries.error.requestId}
          onRetry={() => void entries.refetch()}
          retrying={entries.isFetching}
        >
          {entries.error.message}
        </ErrorState>
      )}
      {entries.data?.data.length === 0 && (
        <EmptyState title={shown === 'all' ? 'The ledger is empty' : 'No such entries'}>
          Every change of your balance is listed here: what you receive, and what each request costs.
        </EmptyState>
      )}
      {entries.data && entries.data.data.length > 0 && <LedgerTable entries={entries.data.data} />}
      {entries.data && (
        <Pagination
          label="Pages of the ledger"
          hasNewer={pages.hasNewer}
          hasOlder={entries.data.next_cursor !== null}
          onNewer={pages.newer}
          onOlder={() => entries.data?.next_cursor && pages.older(entries.data.next_cursor)}
          pending={entries.isFetching}
        />
      )}
    </>
  )
}
