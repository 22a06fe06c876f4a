import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { packagesQuery } from '#web/api/admin/packages.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { notify } from '#web/ui/toast.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { ForOperators } from '../layout/permissions.tsx'
import { PackageForm } from '../packages/package-form.tsx'
import { PackageTable } from '../packages/package-table.tsx'

export function PackagesPage() {
  const [making, setMaking] = useState(false)
  const pages = useCursorPages()
  const packages = useQuery({
    ...packagesQuery({ cursor: pages.cursor, limit: 50 }),
    placeholderData: keepPreviousData,
  })
  const make = (
    <ForOperators>
      <Button look="primary" onClick={() => setMaking(true)}>
        <Plus className="size-4" aria-hidden="true" />
        New package
      </Button>
    </ForOperators>
  )
  return (
    <>
      <PageHeader title="Packages" action={make}>
        Credits as they are sold: so many for so much money. Orders keep what they were made for, whatever is
        changed here.
      </PageHeader>
      <ListPage
        what="packages"
        query={packages}
        pages={pages}
        empty={
          <EmptyState title="No packages yet" action={make}>
            Customers can buy credits as soon as there is one, and a way to pay.
          </EmptyState>
        }
      >
        {rows => <PackageTable packages={rows} />}
      </ListPage>
      <Dialog open={making} onOpenChange={setMaking} title="New package">
        <PackageForm
          sold={null}
          onSaved={({ name }) => {
            setMaking(false)
            notify('Package made', name)
          }}
        />
      </Dialog>
    </>
  )
}
