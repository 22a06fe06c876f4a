import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#web/api/client/session.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Balance } from '../overview/balance.tsx'

export function OverviewPage() {
  const { data: me } = useQuery(meQuery)
  return (
    <>
      <PageHeader title="Overview" />
      <Panel title="Balance">{me && <Balance account={me.account} />}</Panel>
    </>
  )
}
