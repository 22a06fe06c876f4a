import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CreditPackage, packagesQuery, paymentOptionsQuery } from '#web/api/client/orders.ts'
import { Button } from '#web/ui/button.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BuyDialog } from './buy-dialog.tsx'

/** What can be bought, and the way to buy it. */
export function PackageList() {
  const [buying, setBuying] = useState<CreditPackage | null>(null)
  const packages = useQuery(packagesQuery)
  const options = useQuery(paymentOptionsQuery)
  const failed = packages.isError ? packages : options.isError ? options : null
  if (failed?.error) {
    return (
      <ErrorState
        title="The packages could not be loaded"
        requestId={failed.error.requestId}
        onRetry={() => void Promise.all([packages.refetch(), options.refetch()])}
        retrying={packages.isFetching || options.isFetching}
      >
        {failed.error.message}
      </ErrorState>
    )
  }
  if (!packages.data || !options.data) return <PackagesSkeleton />
  // What costs nothing is granted, never sold.
  const sold = packages.data.data.filter(({ price }) => price.amount > 0)
  if (sold.length === 0 || options.data.processors.length === 0) {
    return (
      <EmptyState title="Nothing is on sale">
        Ask the operator of this service for credits, or redeem a code if you have one.
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {sold.map(each => (
          <PackageCard key={each.id} sold={each} onBuy={() => setBuying(each)} />
        ))}
      </ul>
      <BuyDialog sold={buying} options={options.data} onClose={() => setBuying(null)} />
    </>
  )
}

function PackageCard({ sold, onBuy }: { readonly sold: CreditPackage; readonly onBuy: () => void }) {
  const { name, credits, price } = sold
  return (
    <li className="flex flex-col gap-4 rounded-lg border border-line bg-ground p-4">
      <div>
        <h3 className="font-semibold break-words">{name}</h3>
        <p className="figures text-sm text-muted">{formatCredits(credits, { minDecimals: 0 })} credits</p>
      </div>
      <div className="mt-auto flex items-center justify-between gap-3">
        <span className="figures text-lg font-semibold">{formatMoney(price.amount, price.currency)}</span>
        <Button size="small" onClick={onBuy}>
          Buy<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  )
}

function PackagesSkeleton() {
  return (
    <div role="status" aria-label="Loading packages" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {['first', 'second', 'third'].map(each => (
        <Skeleton key={each} className="h-30" />
      ))}
    </div>
  )
}
