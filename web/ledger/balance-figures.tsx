import type { CreditUsage } from '#contract/accounts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { Stat } from '#web/ui/stat.tsx'

const STATUS = {
  active: <Badge tone="good">Active</Badge>,
  low: <Badge tone="warn">Running low</Badge>,
  exhausted: <Badge tone="bad">Used up</Badge>,
} as const

/** What an account has left, of what it was given. */
export function BalanceFigures({ account }: { readonly account: CreditUsage }) {
  return (
    <dl className="grid grid-cols-2 gap-6 max-sm:*:first:col-span-2 sm:grid-cols-3">
      <Stat
        label="Credits left"
        note={account.quota === 0 ? <Badge>None yet</Badge> : STATUS[account.credit_status]}
      >
        {formatCredits(account.remaining)}
      </Stat>
      <Stat label="Used so far">{formatCredits(account.used)}</Stat>
      <Stat label="Allocated">{formatCredits(account.quota)}</Stat>
    </dl>
  )
}
