import { useQuery } from '@tanstack/react-query'
import { type AutoTopUp, autoTopUpQuery } from '#web/api/client/credits.ts'
import { packagesQuery, paymentOptionsQuery } from '#web/api/client/orders.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SavedMethod } from './saved-method.tsx'
import { TopUpForm } from './top-up-form.tsx'

/** When credits are bought by themselves. Stands only where a payment method can be kept. */
export function TopUpPanel() {
  const options = useQuery(paymentOptionsQuery)
  const topUp = useQuery(autoTopUpQuery)
  if (!options.data?.can_save_payment_method) return null
  return (
    <Panel title="Automatic top-up" action={topUp.data && <TopUpState topUp={topUp.data} />}>
      {topUp.isPending && <Skeleton className="h-24" />}
      <QueryFailure query={topUp} title="Your settings could not be loaded" />
      {topUp.data && <TopUp topUp={topUp.data} />}
    </Panel>
  )
}

function TopUpState({ topUp: { enabled } }: { readonly topUp: AutoTopUp }) {
  return enabled ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>
}

function TopUp({ topUp }: { readonly topUp: AutoTopUp }) {
  const packages = useQuery(packagesQuery)
  if (topUp.payment_method === null) {
    return (
      <p className="text-sm text-muted">
        Credits can be bought by themselves when they run low. Buy a package and keep the payment method with
        it; then you can turn this on.
      </p>
    )
  }
  const sold = packages.data?.data.filter(({ price }) => price.amount > 0) ?? []
  return (
    <div className="flex flex-col gap-5">
      {topUp.problem !== null && <TopUpProblem topUp={topUp} />}
      <SavedMethod label={topUp.payment_method} />
      {sold.length > 0 && <TopUpForm topUp={topUp} packages={sold} />}
    </div>
  )
}

function TopUpProblem({ topUp: { problem, next_attempt_at } }: { readonly topUp: AutoTopUp }) {
  return (
    <Notice tone="warn" title="The last top-up failed">
      {problem}
      {next_attempt_at !== null && (
        <p className="mt-1">
          It is tried again after <DateTime value={next_attempt_at} />, or as soon as you save these settings.
        </p>
      )}
    </Notice>
  )
}
