import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { promoCodesQuery } from '#web/api/admin/promo-codes.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { ForOperators } from '../layout/permissions.tsx'
import { NewCodeForm } from '../promo-codes/new-code-form.tsx'
import { PromoCodeTable } from '../promo-codes/promo-code-table.tsx'

export function PromoCodesPage() {
  const [making, setMaking] = useState(false)
  const pages = useCursorPages()
  const codes = useQuery({ ...promoCodesQuery({ cursor: pages.cursor }), placeholderData: keepPreviousData })
  const make = (
    <ForOperators>
      <Button look="primary" onClick={() => setMaking(true)}>
        <Plus className="size-4" aria-hidden="true" />
        New code
      </Button>
    </ForOperators>
  )
  return (
    <>
      <PageHeader title="Promotional codes" action={make}>
        Customers turn them into credits on the portal's page of credits.
      </PageHeader>
      <ListPage
        what="codes"
        query={codes}
        pages={pages}
        empty={
          <EmptyState title="No codes yet" action={make}>
            A code grants so many credits to whoever knows it, as often as you allow.
          </EmptyState>
        }
      >
        {rows => <PromoCodeTable codes={rows} />}
      </ListPage>
      <Dialog open={making} onOpenChange={setMaking} title="New code">
        <NewCodeForm
          onMade={() => {
            setMaking(false)
            pages.reset()
          }}
        />
      </Dialog>
    </>
  )
}
