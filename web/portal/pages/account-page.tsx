import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { meQuery } from '#web/api/client/session.ts'
import { AccountPanels } from '#web/identity/account-panels.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const route = getRouteApi('/signed-in/account')

export function AccountPage() {
  const { error } = route.useSearch()
  const queryClient = useQueryClient()
  return (
    <>
      <PageHeader title="Account">How you sign in, and where you are signed in now.</PageHeader>
      <AccountPanels
        realm="client"
        from="/account"
        error={error}
        onPersonChanged={() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })}
      />
    </>
  )
}
