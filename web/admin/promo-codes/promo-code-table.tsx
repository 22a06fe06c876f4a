import type { PromoCode } from '#web/api/admin/promo-codes.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'
import { usePermissions } from '../layout/permissions.tsx'
import { CodeMenu } from './code-menu.tsx'
import { CodeState } from './code-state.tsx'

const COLUMNS: readonly Column<PromoCode>[] = [
  {
    header: 'Code',
    isName: true,
    className: 'sm:max-w-64',
    cell: ({ code, note }) => (
      <span className="flex min-w-0 flex-col">
        <code className="font-mono font-medium break-all">{code}</code>
        {note !== '' && <span className="text-xs font-normal break-words text-muted">{note}</span>}
      </span>
    ),
  },
  { header: 'State', cell: code => <CodeState code={code} /> },
  {
    header: 'Credits',
    align: 'end',
    cell: ({ credits, valid_days }) => (
      <span className="flex flex-col">
        {formatCredits(credits, { minDecimals: 0 })}
        {valid_days !== null && <span className="text-xs text-muted">for {valid_days} days</span>}
      </span>
    ),
  },
  {
    header: 'Uses',
    align: 'end',
    cell: ({ uses, max_uses }) =>
      max_uses === null ? formatCount(uses) : `${formatCount(uses)} of ${formatCount(max_uses)}`,
  },
  { header: 'Each account', align: 'end', cell: code => formatCount(code.max_uses_per_account) },
  {
    header: 'Ends',
    cell: ({ expires_at }) => (expires_at === null ? 'Never' : <DateTime value={expires_at} show="day" />),
  },
]

export function PromoCodeTable({ codes }: { readonly codes: readonly PromoCode[] }) {
  const { mayChange } = usePermissions()
  const columns = mayChange ? [...COLUMNS, ACTIONS] : COLUMNS
  return <Table caption="Promotional codes" columns={columns} rows={codes} rowKey={({ id }) => id} />
}

const ACTIONS: Column<PromoCode> = {
  header: 'Actions',
  hideHeader: true,
  align: 'end',
  cell: code => <CodeMenu code={code} />,
}
