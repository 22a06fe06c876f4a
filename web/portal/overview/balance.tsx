import type { Me } from '#web/api/client/session.ts'
import { BalanceFigures } from '#web/ledger/balance-figures.tsx'

/** What the own account has left, of what it was given. */
export function Balance({ account }: { readonly account: Me['account'] }) {
  return <BalanceFigures account={account} />
}
