import type { Account } from '#web/api/admin/accounts.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether the keys of an account work. */
export function AccountState({ account }: { readonly account: Pick<Account, 'status' | 'closed_at'> }) {
  if (account.closed_at !== null) return <Badge>Closed</Badge>
  return account.status === 'active' ? (
    <Badge tone="good">Active</Badge>
  ) : (
    <Badge tone="warn">Suspended</Badge>
  )
}
