import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { accountLedgerQuery } from '#web/api/admin/accounts.ts'
import { EntryTable } from '#web/ledger/entry-table.tsx'
import { SHOWN_CHOICES, SHOWN_ENTRIES } from '#web/ledger/shown-entries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'

/** Every change of an account's balance, newest first. */
export function AccountLedger({ accountId }: { readonly accountId: string }) {
  const [shown, setShown] = useState('all')
  const pages = useCursorPages()
  const entries = useQuery({
    ...accountLedgerQuery(accountId, { kinds: SHOWN_ENTRIES[shown]?.kinds, cursor: pages.cursor }),
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
      <ListPage
        what="entries of the ledger"
        query={entries}
        pages={pages}
        empty={
          <EmptyState title={shown === 'all' ? 'The ledger is empty' : 'No such entries'}>
            Every change of the balance is listed here: what the account receives, and what each request
            costs.
          </EmptyState>
        }
      >
        {rows => <EntryTable entries={rows} orderOf={orderOf} />}
      </ListPage>
    </>
  )
}

const orderOf = (orderId: string) => (
  <Link to="/orders/$orderId" params={{ orderId }} className={textLinkClasses}>
    See the order
  </Link>
)
