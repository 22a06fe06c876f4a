import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allKeysQuery } from '#web/api/client/keys.ts'
import { requestsQuery } from '#web/api/client/requests.ts'
import { meQuery } from '#web/api/client/session.ts'
import { pollEvery } from '#web/api/poll.ts'
import { BalanceFigures } from '#web/ledger/balance-figures.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CreditWarning } from '../overview/credit-warning.tsx'
import { GettingStarted } from '../overview/getting-started.tsx'
import { LatestRequests } from '../overview/latest-requests.tsx'
import { type FirstSteps, isNewcomer, readFirstSteps } from '../overview/newcomer.ts'
import { RunningNow } from '../overview/running-now.tsx'
import { Spending } from '../overview/spending.tsx'

const LATEST = { limit: 5 } as const

export function OverviewPage() {
  const { data: me } = useQuery({ ...meQuery, refetchInterval: pollEvery(5_000) })
  const keys = useQuery(allKeysQuery)
  const requests = useQuery({ ...requestsQuery(LATEST), refetchInterval: pollEvery(5_000) })
  const steps =
    me && keys.data && requests.data
      ? readFirstSteps({ account: me.account, keys: keys.data.data.length, requests: requests.data.data })
      : null
  return (
    <>
      <PageHeader title="Overview" />
      <div className="flex flex-col gap-6">
        <Panel title="Balance">
          {me && (
            <>
              <BalanceFigures account={me.account} />
              <CreditWarning account={me.account} />
            </>
          )}
        </Panel>
        <QueryFailure title="Your keys could not be loaded" query={keys} />
        <QueryFailure title="Your requests could not be loaded" query={requests} />
        {(keys.isPending || requests.isPending) && (
          <div role="status" aria-label="Loading the overview">
            <Skeleton className="h-93" />
          </div>
        )}
        {steps && <FirstStepsUntilLeft steps={steps} />}
        {steps?.hasAnswer && <Spending />}
        {steps?.hasKey && <RunningNow />}
        {steps?.hasAnswer && keys.data && requests.data && (
          <LatestRequests requests={requests.data.data} keys={keys.data.data} />
        )}
      </div>
    </>
  )
}

/** Who came as a newcomer sees the last step ticked off too: the steps stay until the page is left. */
function FirstStepsUntilLeft({ steps }: { readonly steps: FirstSteps }) {
  const [cameNew] = useState(isNewcomer(steps))
  return cameNew && <GettingStarted {...steps} />
}
