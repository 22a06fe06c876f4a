import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { meQuery } from '#web/api/client/session.ts'
import { BalanceFigures } from '#web/ledger/balance-figures.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { EndingCredits } from '../credits/ending-credits.tsx'
import { Ledger } from '../credits/ledger.tsx'
import { Orders } from '../credits/orders.tsx'
import { PackageList } from '../credits/package-list.tsx'
import { RedeemCodeForm } from '../credits/redeem-code-form.tsx'
import { TopUpPanel } from '../credits/top-up-panel.tsx'

const route = getRouteApi('/signed-in/credits/')

const HISTORY = [
  { value: 'ledger', label: 'Ledger', content: <Ledger /> },
  { value: 'orders', label: 'Orders', content: <Orders /> },
]

export function CreditsPage() {
  const { data: me } = useQuery(meQuery)
  const { history = 'ledger' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHeader title="Credits">
        One balance for all keys of your account. Every request takes from it what it weighs.
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Panel title="Balance">
          {me && <BalanceFigures account={me.account} />}
          <EndingCredits />
        </Panel>
        <Panel title="Buy credits">
          <PackageList />
        </Panel>
        <Panel title="Redeem a code">
          <div className="sm:max-w-md">
            <RedeemCodeForm />
          </div>
        </Panel>
        <TopUpPanel />
        <Panel title="History">
          <Tabs
            label="History"
            tabs={HISTORY}
            value={history}
            onValueChange={next =>
              void navigate({
                search: { history: next === 'orders' ? 'orders' : undefined },
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Panel>
      </div>
    </>
  )
}
