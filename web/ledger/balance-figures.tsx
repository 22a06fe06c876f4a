import type { CreditUsage } from '#contract/accounts.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCredits, formatMicros, toMicros } from '#web/ui/credits.ts'
import { Stat } from '#web/ui/stat.tsx'

const STATUS = {
  active: <Badge tone="good">Active</Badge>,
  low: <Badge tone="warn">Running low</Badge>,
  exhausted: <Badge tone="bad">Used up</Badge>,
} as const

/** What an account has left, of what it was given. */
export function BalanceFigures({ account }: { readonly account: CreditUsage }) {
  const debtMicros = toMicros(account.used) - toMicros(account.quota)
  return (
    <>
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
      {debtMicros > 0n && (
        <p className="mt-4 text-sm text-muted">
          Requests that were under way when the credits ran out used {formatMicros(debtMicros)} more than
          there were. What comes in next pays that first.
        </p>
      )}
    </>
  )
}
