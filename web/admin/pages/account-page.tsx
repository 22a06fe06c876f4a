import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { meQuery } from '#web/api/admin/session.ts'
import { AccountPanels } from '#web/identity/account-panels.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const route = getRouteApi('/signed-in/account')

export function AccountPage() {
  const { error } = route.useSearch()
  const { data: me } = useQuery(meQuery)
  const queryClient = useQueryClient()
  return (
    <>
      <PageHeader title="Your account">How you sign in, and where you are signed in now.</PageHeader>
      {me?.must_set_up_two_factor && (
        <div className="mb-6 max-w-3xl">
          <Notice tone="warn" title="Set up a second factor first">
            This service requires one of its administrators. Everything else opens once yours is on.
          </Notice>
        </div>
      )}
      <AccountPanels
        realm="admin"
        from="/account"
        error={error}
        onPersonChanged={() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })}
      />
    </>
  )
}
