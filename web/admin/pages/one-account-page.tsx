import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type Account, accountQuery } from '#web/api/admin/accounts.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { BalanceFigures } from '#web/ledger/balance-figures.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import type { UsageSearch } from '#web/usage/usage-search.ts'
import { AccountActions } from '../accounts/account-actions.tsx'
import { AccountLedger } from '../accounts/account-ledger.tsx'
import { AccountKeys, AccountUsers } from '../accounts/account-people.tsx'
import { AccountState } from '../accounts/account-state.tsx'
import { AccountUsage } from '../accounts/account-usage.tsx'
import { ClosedNotice } from '../accounts/closed-notice.tsx'
import { ForOperators } from '../layout/permissions.tsx'

const route = getRouteApi('/signed-in/accounts/$accountId')

/** Everything about one customer. */
export function OneAccountPage() {
  const { accountId } = route.useParams()
  const account = useQuery(accountQuery(accountId))
  return (
    <>
      <BackLink to="/accounts">All accounts</BackLink>
      {account.isPending && (
        <div role="status" aria-label="Loading the account" className="flex flex-col gap-6">
          <Skeleton className="h-14" />
          <Skeleton className="h-36" />
          <Skeleton className="h-64" />
        </div>
      )}
      {account.error?.status === 404 ? (
        <EmptyState title="There is no such account" isPage>
          Its address may be mistyped.
        </EmptyState>
      ) : (
        <QueryFailure query={account} title="The account could not be loaded" />
      )}
      {account.data && <OneAccount account={account.data} />}
    </>
  )
}

function OneAccount({ account }: { readonly account: Account }) {
  const { tab = 'usage', ...usage } = route.useSearch()
  const navigate = route.useNavigate()
  const changeUsage = (next: Partial<UsageSearch>) =>
    void navigate({ search: { tab, ...usage, ...next }, replace: true, resetScroll: false })
  const accountId = account.id
  const contents = {
    usage: <AccountUsage accountId={accountId} search={usage} onChange={changeUsage} />,
    ledger: <AccountLedger accountId={accountId} />,
    users: <AccountUsers accountId={accountId} />,
    keys: <AccountKeys accountId={accountId} />,
  }
  return (
    <>
      <PageHeader
        title={account.name}
        action={
          <ForOperators>
            <AccountActions account={account} />
          </ForOperators>
        }
      />
      <p className="-mt-4 mb-6 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
        <AccountState account={account} />
        <span className="wrap-anywhere">
          {account.owner.name}, {account.owner.email}
        </span>
        <span>
          since <DateTime value={account.created_at} show="day" />
        </span>
        <Link to="/requests" search={{ account: accountId }} className={textLinkClasses}>
          See its requests
        </Link>
        <CopyButton text={accountId} label="Copy id" look="quiet" />
      </p>
      <ClosedNotice account={account} />
      <Panel title="Balance" className="mb-6">
        <BalanceFigures account={account} />
      </Panel>
      <Tabs
        label="About the account"
        tabs={TABS.map(([value, label]) => ({ value, label, content: contents[value] }))}
        value={tab}
        onValueChange={next => {
          const chosen = TABS.find(([value]) => value === next)?.[0]
          void navigate({ search: { tab: chosen }, replace: true, resetScroll: false })
        }}
      />
    </>
  )
}

const TABS = [
  ['usage', 'Usage'],
  ['ledger', 'Ledger'],
  ['users', 'Users'],
  ['keys', 'Keys'],
] as const
