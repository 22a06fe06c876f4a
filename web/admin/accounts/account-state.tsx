import type { Account } from '#web/api/admin/accounts.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether the keys of an account work. */
export function AccountState({ account }: { readonly account: Pick<Account, 'status'> }) {
  return account.status === 'active' ? (
    <Badge tone="good">Active</Badge>
  ) : (
    <Badge tone="warn">Suspended</Badge>
  )
}
